"""Runs workloads in an engine's own process, and times them there.

This file stands alone: it is the driver that a worker of the sandbox is given for a benchmark, and
imports only the standard library. A hand-in could forge what is timed beside it; it is a benchmark
of engines that mean well, and no grade.

A workload is a program of any size, forward and backward, with inputs of one row of two numbers:

    residual    size layers: h = h + relu(h @ w)
    chain       size additions, one after another
    wide        size branches from one input, added up: the graph is as wide as it is long
    small       size requests, each with three layers of a residual stack
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

LAYERS_OF_SMALL = 3
LONG_ENOUGH = 0.1  # seconds: shorter runs are repeated within a lap
TOO_LONG_TO_REPEAT = 0.5
ROW, NUMBER = [[0.5, -0.3]], 0.01
Run = Callable[[], Any]


def weight(layers: int) -> list[list[float]]:
    """Small enough for the deepest stack to stay tame: (1 + 1 / layers) ** layers < e."""
    return [[0.5 / layers, 0.2 / layers], [-0.1 / layers, 0.4 / layers]]


def problem(module: Any) -> str:
    """Empty where the engine can be timed."""
    names = ("autograd", "Tensor", "prepared")
    return "" if any(callable(getattr(module, name, None)) for name in names) else "has no engine"


def answer(module: Any, request: dict[str, Any], _measure: Any) -> dict[str, Any]:
    """{"seconds", "peak"}: processor time of one run, and the most bytes this process has held."""
    run = prepared(module, request["way"], request["workload"], request["size"])
    seconds = timed(run, 1)  # which warms up: compilers compile, caches fill
    if seconds < TOO_LONG_TO_REPEAT:
        seconds = repeated(run)
    kibibyte = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kibibyte,
    }


def repeated(run: Run) -> float:
    """Of one run. Twice as many, until they take long enough: nothing is inferred from a short one.

    In some sandboxes this clock moves in steps of ten milliseconds.
    """
    times = 1
    while (seconds := timed(run, times)) < LONG_ENOUGH:
        times *= 2
    return seconds / times


def timed(run: Run, times: int) -> float:
    """Of all runs together."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        run()
    return time.process_time() - start


def prepared(module: Any, way: str, workload: str, size: int) -> Run:
    """The workload as a function of nothing. What prepares it is not timed."""
    if way == "rival":
        run: Run = module.prepared(workload, size)
        return run
    if way == "tensor":
        return by_tensor(module.Tensor, workload, size)
    if workload == "small":
        requests = [request_of("residual", LAYERS_OF_SMALL) for _ in range(size)]
        return lambda: [module.autograd(request) for request in requests]
    request = request_of(workload, size)
    return lambda: module.autograd(request)


# --- in the request language ---------------------------------------------------------------------


def request_of(workload: str, size: int) -> dict[str, Any]:
    """For gradients of the sum of the output with respect to both inputs."""
    steps = STEPS[workload](size)
    inputs = {"x": ROW, "w": weight(size) if workload == "residual" else [[NUMBER]]}
    steps.append(["y", "sum", steps[-1][0]])
    return {"op": "grad", "inputs": inputs, "steps": steps, "output": "y"}


def residual_steps(size: int) -> list[list[str]]:
    steps, h = [], "x"
    for i in range(size):
        steps += [[f"m{i}", "matmul", h, "w"], [f"r{i}", "relu", f"m{i}"]]
        steps.append([f"h{i}", "add", h, f"r{i}"])
        h = f"h{i}"
    return steps


def chain_steps(size: int) -> list[list[str]]:
    return [[f"h{i}", "add", f"h{i - 1}" if i else "x", "w"] for i in range(size)]


def wide_steps(size: int) -> list[list[str]]:
    steps, total = [], "x"
    for i in range(size):
        steps += [[f"m{i}", "mul", "x", "w"], [f"r{i}", "relu", f"m{i}"]]
        steps.append([f"t{i}", "add", total, f"r{i}"])
        total = f"t{i}"
    return steps


STEPS = {"residual": residual_steps, "chain": chain_steps, "wide": wide_steps}


# --- with operators ------------------------------------------------------------------------------


def output(workload: str, size: int, x: Any, w: Any, relu: Callable[[Any], Any]) -> Any:
    """The same graph for whatever has Python's operators."""
    h = x
    if workload == "residual":
        for _ in range(size):
            h = h + relu(h @ w)
    elif workload == "chain":
        for _ in range(size):
            h = h + w
    else:
        for _ in range(size):
            h = h + relu(x * w)
    return h


def by_operators(
    workload: str, size: int, leaf: Callable[[Any], Any], backward: Callable[[Any], Any], relu: Any
) -> Run:
    """A run with leaves of `leaf`; `backward` is given the output, not yet summed."""

    def once(kind: str, layers: int) -> Any:
        w = weight(layers) if kind == "residual" else [[NUMBER]]
        return backward(output(kind, layers, leaf(ROW), leaf(w), relu))

    if workload == "small":
        return lambda: [once("residual", LAYERS_OF_SMALL) for _ in range(size)]
    return lambda: once(workload, size)


def by_tensor(tensor: Any, workload: str, size: int) -> Run:
    """In inference mode, as it is where such an engine is graded."""
    import torch

    torch.set_num_threads(1)
    run = by_operators(
        workload,
        size,
        lambda data: tensor(torch.tensor(data, dtype=torch.float64), requires_grad=True),
        lambda y: y.sum().backward(),
        lambda x: x.relu(),
    )
    in_inference: Run = torch.inference_mode()(run)
    return in_inference
