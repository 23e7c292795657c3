"""PyTorch, eager, float64, one thread."""

import torch

from grader.bench.inside import Run, Task, by_operators

torch.set_num_threads(1)


def prepared(task: Task) -> Run:
    return by_operators(
        task,
        lambda data: torch.tensor(data, dtype=torch.float64, requires_grad=True),
        lambda y: y.sum().backward(),
        getattr(torch, task.f),
    )
