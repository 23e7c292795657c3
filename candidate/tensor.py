"""Tensor: reverse-mode automatic differentiation, with torch tensors as its storage.

Operations on Tensors compute a value and remember how; backward() then works out what a small
change of each input does to the output:

    x = Tensor(torch.tensor([[2.0, -3.0]]), requires_grad=True)
    w = Tensor(torch.tensor([[1.0, 4.0], [-1.0, 2.0]]), requires_grad=True)
    y = (x @ w).relu().sum()    # x @ w is [[5., 2.]], y is 7
    y.backward()
    x.grad                      # [[5., 1.]]
    w.grad                      # [[2., 2.], [-3., -3.]]

    c = Tensor(torch.tensor(5.0), requires_grad=True)
    (c * c + c).backward()
    c.grad                      # 11., that is 2 * 5 + 1

Torch is here for its arithmetic only. The gradients are to come from rules of your own: the class
is run where torch's own gradient machinery records nothing.
"""

import torch


class Tensor:
    """A torch tensor that takes part in differentiation.

    A result of an operation requires gradients if at least one of its operands does. Where none
    does, nothing is remembered and the operands can be freed.

    Tensors are compared and hashed by identity: two with equal numbers are still two.
    """

    data: torch.Tensor
    grad: torch.Tensor | None
    requires_grad: bool

    def __init__(self, data: torch.Tensor, requires_grad: bool = False) -> None:
        """A leaf, holding data as it is; grad is None to begin with.

        RuntimeError if data that is not floating point is to require gradients.
        """
        raise NotImplementedError("Tensor(data, requires_grad)")

    def __add__(self, other: "Tensor") -> "Tensor":
        """The sum by entry. Operands of any rank are broadcast to each other, as in NumPy."""
        raise NotImplementedError("+")

    def __mul__(self, other: "Tensor") -> "Tensor":
        """The product by entry. Operands of any rank are broadcast to each other, as in NumPy."""
        raise NotImplementedError("*")

    def __matmul__(self, other: "Tensor") -> "Tensor":
        """The matrix product of shapes (n, m) and (m, p).

        Strictly two dimensions each: RuntimeError, naming both shapes, for anything else.
        """
        raise NotImplementedError("@")

    def relu(self) -> "Tensor":
        """The entries above 0, and 0 for the others. Its slope at 0 is 0.

        An entry that is not above 0 gets gradient 0, even if what arrives for it is infinite.
        """
        raise NotImplementedError("relu()")

    def sum(self) -> "Tensor":
        """The sum of all entries, with no dimensions: its shape is ()."""
        raise NotImplementedError("sum()")

    def backward(self) -> None:
        """Add the gradients of this tensor, which has one element, to the leaves it came from.

        - Every leaf that requires gradients and takes part gets its grad. Results of operations
          and tensors that require none keep None.
        - A tensor that is used several times, or twice by one operation, gets the sum.
        - grad has the shape and the dtype of the tensor it belongs to, and memory of its own.
        - A grad that is already there, from an earlier backward() or set by hand, is added to.

        RuntimeError, with no grad changed, if this tensor has more or less than one element, if it
        requires no gradients, or if an earlier backward() has used up the graph.

        Graphs may be hundreds of thousands of operations deep, and operands shared at every level
        of them; that should take seconds. Memory is handed back: after backward() the graph is let
        go, and a graph that nobody holds any more disappears without the garbage collector.
        """
        raise NotImplementedError("backward()")
