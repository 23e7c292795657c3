"""PyTorch's own autograd, in float64 on one CPU."""

from collections.abc import Callable

import torch
from torch import Tensor

from grader.language import Matrix, Program, evaluated

OPERATIONS: dict[str, Callable[..., Tensor]] = {
    "matmul": torch.matmul,
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "tanh": torch.tanh,
    "sum": lambda x: x.sum().reshape(1, 1),
    "mean": lambda x: x.mean().reshape(1, 1),
}


class Library:
    """Torch as a `Differentiator`."""

    def value(self, program: Program) -> Matrix:
        with torch.no_grad():
            return matrix(evaluated(program, _leaves(program), OPERATIONS))

    def gradients(self, program: Program) -> dict[str, Matrix]:
        leaves = _leaves(program)
        output = evaluated(program, leaves, OPERATIONS)
        grads = torch.autograd.grad(
            output, list(leaves.values()), allow_unused=True, materialize_grads=True
        )
        return {name: matrix(grad) for name, grad in zip(leaves, grads, strict=True)}


def _leaves(program: Program) -> dict[str, Tensor]:
    return {
        name: torch.tensor(rows, dtype=torch.float64, requires_grad=True)
        for name, rows in program.inputs.items()
    }


def matrix(tensor: Tensor) -> Matrix:
    rows: Matrix = tensor.tolist()
    return rows
