"""HIPS autograd: NumPy, traced."""

import autograd
import autograd.numpy as np

from grader.bench.inside import Run, Task, as_often_as, output

F = {"tanh": np.tanh, "relu": lambda m: np.maximum(m, 0.0)}


def prepared(task: Task) -> Run:
    each = task.each
    x, w = np.array(each.row()), np.array(each.weight())
    gradient = autograd.grad(lambda x, w: np.sum(output(each, x, w, F[task.f])), (0, 1))
    return as_often_as(task, lambda: gradient(x, w))
