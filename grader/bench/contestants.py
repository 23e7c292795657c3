"""What is measured: a hand-in in its sandbox, or a library in a process of its own."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from grader.bench import inside
from grader.bench.measure import Ask, Lap, Stopped
from grader.engines import received
from grader.kit.case import Case, Request, Returns
from grader.kit.depth import growth_of
from grader.kit.engine import (
    Counted,
    EngineError,
    EngineFile,
    Outcome,
    Raised,
    Returned,
    TimedOut,
)
from grader.kit.growth import Growth, Program
from grader.kit.judge import judge
from grader.sandbox import SandboxedEngine, choose
from grader.sandbox.choose import SANDBOXES
from grader.sandbox.forked import CAN_FORK, ForkedEngine
from grader.sandbox.limits import Limits

GIB = 1 << 30
DRIVER = Path(inside.__file__)
RIVALS = {
    "torch": "PyTorch, eager",
    "autograd": "HIPS autograd",
    "micrograd": "micrograd",
    "mygrad": "MyGrad",
    "jax": "JAX, compiled scan",
}
FOR_TENSOR = ("torch",)
IMPORT_SECONDS = 60.0
# One thread: on a busy machine two wait for one another.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


@dataclass(frozen=True, slots=True)
class Contestant:
    """`growth` counts the work of a workload of that size; None where nothing can be counted."""

    name: str
    title: str
    ask: Ask
    growth: Callable[[str, int], Growth | None]


def contestant(
    name: str, exercise: str, sandbox: str, seconds: float, stack: ExitStack
) -> Contestant:
    """Whatever it needs is stopped with the stack; a lap may take so many seconds of the clock.

    Raises EngineError, WorkerFault, and Refused where there is no such sandbox.
    """
    if name in RIVALS:
        return rival(name, exercise, seconds, stack)
    file, _ = received(name, exercise, stack)
    way = "requests" if exercise == "tiny" else "tensor"
    memory = Limits(8 * GIB)
    driven = replace(file, driver=DRIVER, is_packed=way == "tensor")
    backend = choose(sandbox, tuple(SANDBOXES) if way == "requests" else ("bwrap", "seatbelt"))
    timed = SandboxedEngine(driven, backend, memory)
    stack.callback(timed.stop)
    timed.start()
    counted = SandboxedEngine(file, backend, memory)
    stack.callback(counted.stop)

    def growth(workload: str, size: int) -> Growth | None:
        return grown(counted, workload, size, seconds) if way == "requests" else None

    return Contestant(name, name, asking(timed, way, seconds), growth)


def rival(name: str, exercise: str, seconds: float, stack: ExitStack) -> Contestant:
    """In a fork of this process, which has loaded none of them. Raises EngineError."""
    if exercise == "tensor" and name not in FOR_TENSOR:
        raise EngineError(f"{name}: is no rival in the exercise tensor")
    if not CAN_FORK:
        raise EngineError(f"{name}: libraries are measured on Linux only")
    file = Path(__file__).parent / "rivals" / f"{name}_rival.py"
    engine = ForkedEngine(
        EngineFile(file, stands_alone=True, driver=DRIVER, said=name), Limits(64 * GIB)
    )
    engine.import_seconds = IMPORT_SECONDS
    stack.callback(engine.stop)
    try:
        engine.start()
    except EngineError as error:
        raise EngineError(f"{error}; pip install 'autograde[bench]' has the libraries") from None
    return Contestant(name, RIVALS[name], asking(engine, "rival", seconds), lambda *_: None)


def asking(engine: SandboxedEngine, way: str, seconds: float) -> Ask:
    def ask(workload: str, size: int) -> Lap | Stopped:
        request = {"way": way, "workload": workload, "size": size}
        return lap_of(engine.run(case_of(request, seconds)), seconds)

    return ask


def lap_of(outcome: Outcome, seconds: float) -> Lap | Stopped:
    match outcome:
        case Returned(result={"seconds": float(taken), "peak": int(peak)}) if taken > 0:
            return Lap(taken, peak)
        case Raised() if outcome.is_a("RecursionError"):
            return Stopped("RecursionError")
        case TimedOut():
            return Stopped(f"no answer within {seconds:g} s")
        case Returned():
            return Stopped("it answers with something else")
    return Stopped(judge(case_of({}, seconds), outcome).message)


def case_of(request: Request, seconds: float) -> Case:
    return Case(
        name="benchmark",
        exercise="tiny",
        visibility="visible",
        stage="stage3",
        why="",
        request=request,
        first=(),
        expects=Returns({}),
        seconds=seconds,
        guards=(),
        steps=[],
        path=DRIVER,
        line=1,
    )


class Sized(Program):
    """A workload at any depth."""

    def at(self, depth: int) -> Request:
        return inside.request_of(self.request["workload"], min(depth, self.depth))


def grown(engine: Counted, workload: str, size: int, seconds: float) -> Growth | None:
    """None where it cannot be told: its work is not that of a program, or cannot be counted."""
    if workload == "small":
        return None
    growth = growth_of(engine, Sized({"workload": workload}, [], size, "rounds"), seconds)
    return growth if isinstance(growth, Growth) else None
