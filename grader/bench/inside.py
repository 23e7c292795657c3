"""Runs workloads in an engine's own process, and times them there.

This file stands alone: it is the driver that a worker of the sandbox is given for a benchmark, and
imports only the standard library. A hand-in could forge what is timed beside it; it is a benchmark
of engines that mean well, and no grade.

A workload is a program of any size, forward and backward, on one row of numbers:

    residual    size layers: h = h + f(h @ w)
    chain       size additions, one after another
    wide        size branches f(x * w) from one input, added up: as wide as it is long
    small       size requests, each with three layers of a residual stack

f is what the exercise has: tanh for tiny, relu for tensor.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

LAYERS_OF_SMALL = 3
LEAST, TICKS = 0.02, 25  # seconds, steps of the clock: shorter runs are repeated within a lap
TOO_LONG_TO_REPEAT = 0.5
Matrix = list[list[float]]
Run = Callable[[], Any]


class Task(NamedTuple):
    """A workload of a size; its inputs are a row of `width` numbers and a weight that fits."""

    workload: str
    size: int
    f: str
    width: int

    @property
    def each(self) -> "Task":
        """One request of many small ones, or what it is itself."""
        return self._replace(workload="residual", size=LAYERS_OF_SMALL) if self.is_many else self

    @property
    def is_many(self) -> bool:
        return self.workload == "small"

    def row(self) -> Matrix:
        return [[(i * 3 % 7 - 2.5) / 7 for i in range(self.width)]]

    def weight(self) -> Matrix:
        """Small enough for the deepest stack to stay tame: (1 + 1 / size) ** size < e."""
        if self.workload != "residual":
            return [[0.01]]
        least, k = self.size * self.width, range(self.width)
        return [[((i * 3 + j * 2) % 5 - 1.5) / 4 / least for j in k] for i in k]


def problem(module: Any) -> str:
    """Empty where the engine can be timed."""
    names = ("autograd", "Tensor", "prepared")
    return "" if any(callable(getattr(module, name, None)) for name in names) else "has no engine"


def answer(module: Any, request: dict[str, Any], _measure: Any) -> dict[str, Any]:
    """{"seconds"}: processor time of one run.

    With "once" in the request it is run once and not timed, for whoever counts what it does, and
    the answer is {"peak"}: the most bytes this process has held.
    """
    task = Task(request["workload"], request["size"], request["f"], request["width"])
    run = prepared(module, request["way"], task)
    if request.get("once"):
        run()
        kibibyte = 1 if sys.platform == "darwin" else 1024
        return {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kibibyte}
    seconds = timed(run, 1)  # which warms up: compilers compile, caches fill
    if seconds < TOO_LONG_TO_REPEAT:
        seconds = repeated(run, max(LEAST, TICKS * tick()))
    return {"seconds": seconds}


def repeated(run: Run, long_enough: float) -> float:
    """Of one run. Twice as many, until they take long enough: a short one tells nothing."""
    times = 1
    while (seconds := timed(run, times)) < long_enough:
        times *= 2
    return seconds / times


def timed(run: Run, times: int) -> float:
    """Of all runs together."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        run()
    return time.process_time() - start


def tick() -> float:
    """The step in which the clock moves, whatever it says of itself; 10 ms in some sandboxes."""
    start = time.process_time()
    while (now := time.process_time()) == start:
        pass
    return now - start


def prepared(module: Any, way: str, task: Task) -> Run:
    """The workload as a function of nothing. What prepares it is not timed."""
    if way == "rival":
        run: Run = module.prepared(task)
        return run
    if way == "tensor":
        return by_tensor(module.Tensor, task)
    request = request_of(task.each)
    return as_often_as(task, lambda: module.autograd(request))


def as_often_as(task: Task, run: Run) -> Run:
    """A run of the workload from a run of each of its requests."""
    return (lambda: [run() for _ in range(task.size)]) if task.is_many else run


# --- in the request language ---------------------------------------------------------------------


def request_of(task: Task) -> dict[str, Any]:
    """For gradients of the sum of the output with respect to both inputs."""
    steps = STEPS[task.workload](task.size, task.f)
    steps.append(["y", "sum", steps[-1][0]])
    inputs = {"x": task.row(), "w": task.weight()}
    return {"op": "grad", "inputs": inputs, "steps": steps, "output": "y"}


def residual_steps(size: int, f: str) -> list[list[str]]:
    steps, h = [], "x"
    for i in range(size):
        steps += [[f"m{i}", "matmul", h, "w"], [f"r{i}", f, f"m{i}"]]
        steps.append([f"h{i}", "add", h, f"r{i}"])
        h = f"h{i}"
    return steps


def chain_steps(size: int, _f: str) -> list[list[str]]:
    return [[f"h{i}", "add", f"h{i - 1}" if i else "x", "w"] for i in range(size)]


def wide_steps(size: int, f: str) -> list[list[str]]:
    steps, total = [], "x"
    for i in range(size):
        steps += [[f"m{i}", "mul", "x", "w"], [f"r{i}", f, f"m{i}"]]
        steps.append([f"t{i}", "add", total, f"r{i}"])
        total = f"t{i}"
    return steps


STEPS = {"residual": residual_steps, "chain": chain_steps, "wide": wide_steps}


# --- with operators ------------------------------------------------------------------------------


def output(task: Task, x: Any, w: Any, f: Callable[[Any], Any]) -> Any:
    """The same graph for whatever has Python's operators."""
    h = x
    if task.workload == "residual":
        for _ in range(task.size):
            h = h + f(h @ w)
    elif task.workload == "chain":
        for _ in range(task.size):
            h = h + w
    else:
        for _ in range(task.size):
            h = h + f(x * w)
    return h


def by_operators(
    task: Task, leaf: Callable[[Matrix], Any], backward: Callable[[Any], Any], f: Any
) -> Run:
    """A run with leaves of `leaf`; `backward` is given the output, not yet summed."""
    each = task.each

    def once() -> Any:
        return backward(output(each, leaf(each.row()), leaf(each.weight()), f))

    return as_often_as(task, once)


def by_tensor(tensor: Any, task: Task) -> Run:
    """In inference mode, as it is where such an engine is graded."""
    import torch

    torch.set_num_threads(1)
    run = by_operators(
        task,
        lambda data: tensor(torch.tensor(data, dtype=torch.float64), requires_grad=True),
        lambda y: y.sum().backward(),
        lambda x: getattr(x, task.f)(),
    )
    in_inference: Run = torch.inference_mode()(run)
    return in_inference
