"""PyTorch's own autograd as a hand-in of the tensor exercise: `class Tensor` around a torch.Tensor.

It says what PyTorch does where the exercise says "as in PyTorch", so the expected results of the
scenarios come from it. It works only where torch records: in inference mode it has no gradients.
"""

from typing import Any

import torch

no_grad = torch.no_grad


class Tensor:
    """Passes everything on to a torch tensor, and keeps the identity that the exercise asks for."""

    def __init__(self, data: torch.Tensor, requires_grad: bool = False) -> None:  # noqa: FBT001, FBT002
        self.tensor = data.detach().requires_grad_(requires_grad)

    @classmethod
    def of(cls, tensor: torch.Tensor) -> "Tensor":
        made = cls.__new__(cls)
        made.tensor = tensor
        return made

    @property
    def data(self) -> torch.Tensor:
        return self.tensor.data

    @data.setter
    def data(self, data: torch.Tensor) -> None:
        self.tensor.data = data

    @property
    def grad(self) -> torch.Tensor | None:
        return self.tensor.grad if self.tensor.is_leaf else None

    @grad.setter
    def grad(self, grad: torch.Tensor | None) -> None:
        self.tensor.grad = grad

    @property
    def requires_grad(self) -> bool:
        return self.tensor.requires_grad

    def __add__(self, other: "Tensor") -> "Tensor":
        return self.of(self.tensor + other.tensor)

    def __sub__(self, other: "Tensor") -> "Tensor":
        return self.of(self.tensor - other.tensor)

    def __mul__(self, other: "Tensor") -> "Tensor":
        return self.of(self.tensor * other.tensor)

    def __matmul__(self, other: "Tensor") -> "Tensor":
        return self.of(torch.mm(self.tensor, other.tensor))  # 2-D only

    def relu(self) -> "Tensor":
        return self.of(self.tensor.relu())

    def sum(self) -> "Tensor":
        return self.of(self.tensor.sum())

    def mean(self) -> "Tensor":
        return self.of(self.tensor.mean())

    def backward(self, gradient: Any = None) -> None:
        self.tensor.backward(gradient)  # type: ignore[no-untyped-call]


def cross_entropy(logits: Tensor, targets: torch.Tensor, reduction: str = "mean") -> Tensor:
    """As torch.nn.functional.cross_entropy with integer classes."""
    loss = torch.nn.functional.cross_entropy(logits.tensor, targets, reduction=reduction)
    return Tensor.of(loss)
