"""Lets torch's own autograd do the exercise.

family: torch
exercise: tensor
expect: wrong raised
"""

import torch


class Tensor:
    def __init__(self, data, requires_grad=False):
        self.inner = data if isinstance(data, torch.Tensor) else torch.tensor(data, dtype=torch.float64)
        self.requires_grad = requires_grad
        if requires_grad:
            self.inner.requires_grad_()

    data = property(lambda self: self.inner.detach())
    shape = property(lambda self: tuple(self.inner.shape))
    grad = property(lambda self: self.inner.grad)

    def made(self, inner):
        made = Tensor(inner)
        made.requires_grad = True
        return made

    def __add__(self, other): return self.made(self.inner + getattr(other, "inner", other))
    def __mul__(self, other): return self.made(self.inner * getattr(other, "inner", other))
    __radd__, __rmul__ = __add__, __mul__
    def __matmul__(self, other): return self.made(self.inner @ other.inner)
    def relu(self): return self.made(self.inner.relu())
    def sum(self): return self.made(self.inner.sum())
    def backward(self): self.inner.backward()
