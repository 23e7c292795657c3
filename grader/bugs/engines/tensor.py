"""Reverse-mode autograd on torch tensors. Torch stores and computes; the gradients come from here.

    a = Tensor(torch.tensor([1.0, 2.0]), requires_grad=True)
    y = (a * a + a).sum()
    y.backward()
    a.grad  # tensor([3., 5.])
"""

# --- follow-ups
import functools
import threading

# --- end
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
        return result(a.clamp(min=0), (self, lambda grad: torch.where(a > 0, grad, 0)))

    def sum(self):
        a = self.data
        return result(a.sum(), (self, lambda grad: torch.ones_like(a) * grad))

    # --- follow-ups
    def __sub__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = self.data, other.data
        return result(
            a - b,
            (self, lambda grad: unbroadcast(grad, a)),
            (other, lambda grad: unbroadcast(-grad, b)),
        )

    def mean(self):
        a = self.data
        return result(a.mean(), (self, lambda grad: torch.ones_like(a) * (grad / a.numel())))

    # --- end
    def backward(self, gradient=None):
        if not self.requires_grad:
            raise RuntimeError("this tensor does not require gradients, there is nothing to do")
        if gradient is None and self.data.numel() != 1:
            raise RuntimeError(f"backward() starts at one element, not at shape {tuple(self.data.shape)}")
        seed = torch.ones_like(self.data)
        # --- follow-ups
        if gradient is not None:
            check_gradient(gradient, self.data)
            seed = gradient.to(self.data.dtype)
        # --- end
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
            tensor._inputs = None


def result(data, *inputs):
    """The outcome of an operation, which remembers its operands only where a gradient is wanted."""
    out = Tensor(data)
    # --- follow-ups
    if switch.off:
        return out
    # --- end
    inputs = tuple([(tensor, rule) for tensor, rule in inputs if tensor.requires_grad])
    if inputs:
        out.requires_grad = True
        out._inputs = inputs
    return out


def unbroadcast(grad, operand):
    """The gradient of an operand that was broadcast: added up to its shape, in its dtype."""
    if grad.shape != operand.shape:
        leading = grad.dim() - operand.dim()
        stretched = [
            axis
            for axis in range(grad.dim())
            if axis < leading or operand.shape[axis - leading] == 1
        ]
        grad = grad.sum(stretched, keepdim=True).reshape(operand.shape)
    return grad.to(operand.dtype)


def inputs_first(root):
    """All tensors that take part, operands before results."""
    order = []
    seen = set()
    stack = [(root, False)]
    while stack:
        tensor, operands_are_listed = stack.pop()
        if operands_are_listed:
            order.append(tensor)
        elif tensor not in seen:
            if tensor._inputs is None:
                raise RuntimeError("backward() has been here before and has released this graph")
            seen.add(tensor)
            stack.append((tensor, True))
            for operand, _ in tensor._inputs:
                stack.append((operand, False))
    return order


def accumulate(grads, tensor, piece):
    """Add a piece to what has arrived at a tensor so far."""
    if tensor in grads:
        piece = grads[tensor] + piece
    grads[tensor] = piece


def add_to_leaf(leaf, grad):
    """Add the gradient of one backward() to the leaf's own."""
    if leaf.grad is None:
        leaf.grad = grad.clone()
    else:
        leaf.grad = leaf.grad + grad


# --- follow-ups
def check_gradient(gradient, data):
    if gradient.shape != data.shape:
        shapes = f"{tuple(gradient.shape)} for an output of shape {tuple(data.shape)}"
        raise RuntimeError(f"a gradient of shape {shapes}")


class Switch(threading.local):
    """How many no_grad blocks this thread is inside of."""

    off = 0


switch = Switch()


class no_grad:
    """Inside `with no_grad():`, or in a function under `@no_grad()`, results record nothing."""

    def __enter__(self):
        switch.off += 1

    def __exit__(self, kind, error, trace):
        switch.off -= 1

    def __call__(self, function):
        @functools.wraps(function)
        def without_gradients(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return without_gradients


def cross_entropy(logits, targets, reduction="mean"):
    """-log softmax(logits) at each row's target class; reduction is "mean", "sum" or "none"."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction must be mean, sum or none, not {reduction!r}")
    z = logits.data
    columns = targets.unsqueeze(1)
    log_total = z.logsumexp(1, keepdim=True)
    losses = (log_total - z.gather(1, columns)).squeeze(1)

    def rule(grad):
        if reduction == "mean":
            grad = grad / len(z)
        of_rows = grad.expand(len(z)).unsqueeze(1)
        return ((z - log_total).exp() * of_rows).scatter_add(1, columns, -of_rows)

    if reduction == "mean":
        return result(losses.mean(), (logits, rule))
    if reduction == "sum":
        return result(losses.sum(), (logits, rule))
    return result(losses, (logits, rule))
# --- end
