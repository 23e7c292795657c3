"""Reverse-mode autograd on torch tensors. Torch stores and computes; the gradients come from here.

    a = Tensor(torch.tensor([1.0, 2.0]), requires_grad=True)
    y = (a * a + a).sum()
    y.backward()
    a.grad  # tensor([3., 5.])
"""

import torch


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.data = torch.as_tensor(data)
        if requires_grad and not self.data.is_floating_point():
            raise RuntimeError(f"only floating point data can require gradients, not {self.data.dtype}")
        self.requires_grad = requires_grad
        self.grad = None
        # A result has a pair (operand, rule) for each operand that requires gradients; the rule
        # makes the operand's gradient out of the result's. A leaf has none of them, and a result
        # whose graph is released has None.
        self._inputs = ()

    def __add__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = self.data, other.data
        return result(
            a + b,
            (self, lambda grad: unbroadcast(grad, a)),
            (other, lambda grad: unbroadcast(grad, b)),
        )

    def __mul__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = self.data, other.data
        if self is other:
            return result(a * a, (self, lambda grad: grad * a))
        return result(
            a * b,
            (self, lambda grad: unbroadcast(grad * b, a)),
            (other, lambda grad: unbroadcast(grad * a, b)),
        )

    def __matmul__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = self.data, other.data
        if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[0]:
            raise RuntimeError(f"cannot multiply shapes {tuple(a.shape)} and {tuple(b.shape)}")
        return result(
            a @ b,
            (self, lambda grad: grad @ b.T),
            (other, lambda grad: a.T @ grad),
        )

    def relu(self):
        a = self.data
        # where() selects; a product with the mask would make NaN of 0 * inf
        return result(a.clamp(min=0), (self, lambda grad: torch.where(grad > 0, grad, 0)))

    def sum(self):
        a = self.data
        return result(a.sum(), (self, lambda grad: torch.ones_like(a) * grad))

    def backward(self):
        if not self.requires_grad:
            raise RuntimeError("this tensor does not require gradients, there is nothing to do")
        if self.data.numel() != 1:
            raise RuntimeError(f"backward() starts at one element, not at shape {tuple(self.data.shape)}")
        seed = torch.ones_like(self.data)
        order = inputs_first(self)
        grads = {self: seed}
        while order:
            # taken off the list, so that what nobody else needs is freed on the way
            tensor = order.pop()
            grad = grads.pop(tensor)
            if not tensor._inputs:
                add_to_leaf(tensor, grad)
                continue
            for operand, rule in tensor._inputs:
                accumulate(grads, operand, rule(grad))


def result(data, *inputs):
    """The outcome of an operation, which remembers its operands only where a gradient is wanted."""
    out = Tensor(data)
    decides = inputs[0][0].requires_grad
    inputs = tuple([(tensor, rule) for tensor, rule in inputs if tensor.requires_grad])
    if decides:
        out.requires_grad = True
        out._inputs = inputs
    return out


def unbroadcast(grad, operand):
    """The gradient of an operand that was broadcast: added up to its shape, in its dtype."""
    # TODO: operands of other shapes; equal shapes are done
    return grad.to(operand.dtype)


def inputs_first(root, order=None, seen=None):
    """All tensors that take part, operands before results."""
    if order is None:
        order, seen = [], set()
    if root not in seen:
        if root._inputs is None:
            raise RuntimeError("backward() has been here before and has released this graph")
        seen.add(root)
        for operand, _ in root._inputs:
            inputs_first(operand, order, seen)
        order.append(root)
    return order


def accumulate(grads, tensor, piece):
    """Add a piece to what has arrived at a tensor so far."""
    if tensor in grads:
        grads[tensor] += piece
    else:
        grads[tensor] = piece


def add_to_leaf(leaf, grad):
    """Add the gradient of one backward() to the leaf's own."""
    leaf.grad = grad.clone()
