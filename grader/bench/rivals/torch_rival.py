"""PyTorch, eager, float64, one thread."""

import torch

from grader.bench.inside import Run, by_operators

torch.set_num_threads(1)


def prepared(workload: str, size: int) -> Run:
    return by_operators(
        workload,
        size,
        lambda data: torch.tensor(data, dtype=torch.float64, requires_grad=True),
        lambda y: y.sum().backward(),
        torch.relu,
    )
