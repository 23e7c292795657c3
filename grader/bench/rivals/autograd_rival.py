"""HIPS autograd: NumPy, traced."""

import autograd
import autograd.numpy as np

from grader.bench.inside import LAYERS_OF_SMALL, NUMBER, ROW, Run, output, weight


def prepared(workload: str, size: int) -> Run:
    kind, layers = ("residual", LAYERS_OF_SMALL) if workload == "small" else (workload, size)
    x = np.array(ROW)
    w = np.array(weight(layers) if kind == "residual" else [[NUMBER]])
    gradient = autograd.grad(
        lambda x, w: np.sum(output(kind, layers, x, w, lambda m: np.maximum(m, 0.0))), (0, 1)
    )
    if workload == "small":
        return lambda: [gradient(x, w) for _ in range(size)]
    return lambda: gradient(x, w)
