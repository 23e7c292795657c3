"""PyTorch's own autograd, in float64 on one CPU."""

from collections.abc import Callable

import torch
from torch import Tensor

from grader.language import DIALECTS, Nested, Program, evaluated

OPERATIONS: dict[str, Callable[..., Tensor]] = {
    "matmul": torch.matmul,
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "transpose": lambda x: x.T,
    "softmax_cross_entropy": lambda x, shares: torch.nn.functional.cross_entropy(x, shares),
    "sum": torch.sum,
    "mean": torch.mean,
}


class Library:
    """Torch as a `Differentiator`."""

    def value(self, program: Program) -> Nested:
        with torch.no_grad():
            return _run(program, _leaves(program)).tolist()

    def gradients(self, program: Program) -> dict[str, Nested]:
        leaves = _leaves(program)
        output = _run(program, leaves)
        upstream = None
        if program.upstream is not None:
            upstream = torch.tensor(program.upstream, dtype=torch.float64)
        grads = torch.autograd.grad(
            output, list(leaves.values()), upstream, allow_unused=True, materialize_grads=True
        )
        return {name: grad.tolist() for name, grad in zip(leaves, grads, strict=True)}


def _leaves(program: Program) -> dict[str, Tensor]:
    return {
        name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
        for name, value in program.inputs.items()
    }


def _run(program: Program, leaves: dict[str, Tensor]) -> Tensor:
    """A sum has the shape that the exercise gives it."""
    total = DIALECTS[program.exercise].total
    sized = {
        name: lambda *x, function=OPERATIONS[name]: function(*x).reshape(total)
        for name in ("sum", "mean", "softmax_cross_entropy")
    }
    return evaluated(program, leaves, {**OPERATIONS, **sized})
