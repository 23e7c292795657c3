"""MyGrad: NumPy, with a graph of tensors."""

import mygrad

from grader.bench.inside import Run, Task, by_operators

F = {"tanh": mygrad.tanh, "relu": lambda x: mygrad.maximum(x, 0.0)}


def prepared(task: Task) -> Run:
    return by_operators(
        task,
        lambda data: mygrad.tensor(data, dtype=float),
        lambda y: y.sum().backward(),
        F[task.f],
    )
