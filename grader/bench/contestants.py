"""What is measured: a hand-in in its sandbox, or a library in a process of its own."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.bench import inside
from grader.bench.measure import Ask, Stopped
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
COMPILED = ("torch", "jax")  # whose work no Python shows
F = {"tiny": "tanh", "tensor": "relu"}  # what each exercise has
IMPORT_SECONDS = 60.0
MOST_WORK = 4_000_000  # counted at one depth: there is more time than in grading
# One thread: on a busy machine two wait for one another.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


class Absent(EngineError):
    """A library that cannot be measured here, and why."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """`growth` counts the work of a workload of that size; None where nothing can be counted.

    `peak` is the most bytes that a new process holds for one run; None if it does not come so far.
    """

    name: str
    title: str
    ask: Ask
    growth: Callable[[str, int], Growth | None]
    peak: Callable[[str, int], int | None]


def contestant(
    name: str, exercise: str, width: int, sandbox: str, seconds: float, stack: ExitStack
) -> Contestant:
    """Whatever it needs is stopped with the stack; a lap may take so many seconds of the clock.

    Rows are so many numbers wide. Raises Absent, EngineError, WorkerFault, and Refused where there
    is no such sandbox.
    """
    if name in RIVALS:
        return rival(name, exercise, width, seconds, stack)
    file, _ = received(name, exercise, stack)
    memory = Limits(8 * GIB)
    is_tiny = exercise == "tiny"
    driven = replace(file, driver=DRIVER, is_packed=not is_tiny)
    backend = choose(sandbox, tuple(SANDBOXES) if is_tiny else ("bwrap", "seatbelt"))
    timed = started(SandboxedEngine(driven, backend, memory), stack)
    asked = Asked("requests" if is_tiny else "tensor", F[exercise], width)
    # As it is counted when it is graded: with nothing around it.
    counted = SandboxedEngine(file, backend, memory) if is_tiny else timed
    stack.callback(counted.stop)
    growth = partial(grown, counted, asked.program if is_tiny else asked.once, seconds)
    return Contestant(
        name, name, asking(timed, asked, seconds), growth, peak_of(timed, asked, seconds)
    )


def rival(name: str, exercise: str, width: int, seconds: float, stack: ExitStack) -> Contestant:
    """In a fork of this process, which has loaded none of them. Raises Absent."""
    if exercise == "tensor" and name not in FOR_TENSOR:
        raise Absent(f"{name}: is no rival in the exercise tensor")
    if not CAN_FORK:
        raise Absent(f"{name}: libraries are measured on Linux only")
    file = Path(__file__).parent / "rivals" / f"{name}_rival.py"
    made = EngineFile(file, stands_alone=True, driver=DRIVER, said=name)
    engine = ForkedEngine(made, Limits(64 * GIB))
    engine.import_seconds = IMPORT_SECONDS
    try:
        started(engine, stack)
    except EngineError as error:
        advice = "pip install 'autograde[bench]' has the libraries"
        raise Absent(f"{error}; {advice}") from None
    asked = Asked("rival", F[exercise], width)
    growth = uncounted if name in COMPILED else partial(grown, engine, asked.once, seconds)
    ask, peak = asking(engine, asked, seconds), peak_of(engine, asked, seconds)
    return Contestant(name, RIVALS[name], ask, growth, peak)


def started(engine: SandboxedEngine, stack: ExitStack) -> SandboxedEngine:
    stack.callback(engine.stop)
    engine.start()
    return engine


# --- what is asked -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests to the driver, or of the request language itself."""

    way: str
    f: str
    width: int

    def lap(self, workload: str, size: int) -> Request:
        task = inside.Task(workload, size, self.f, self.width)
        return {"way": self.way, **task._asdict()}

    def once(self, workload: str, size: int) -> Request:
        return {**self.lap(workload, size), "once": True}

    def program(self, workload: str, size: int) -> Request:
        return inside.request_of(inside.Task(workload, size, self.f, self.width))


def asking(engine: SandboxedEngine, asked: Asked, seconds: float) -> Ask:
    def ask(workload: str, size: int) -> float | Stopped:
        return lap_of(engine.run(case_of(asked.lap(workload, size), seconds)), seconds)

    return ask


def peak_of(
    engine: SandboxedEngine, asked: Asked, seconds: float
) -> Callable[[str, int], int | None]:
    def peak(workload: str, size: int) -> int | None:
        engine.stop()  # another is started
        match engine.run(case_of(asked.once(workload, size), seconds)):
            case Returned(result={"peak": int(held)}):
                return held
        return None

    return peak


def lap_of(outcome: Outcome, seconds: float) -> float | Stopped:
    match outcome:
        case Returned(result={"seconds": float(taken)}) if taken > 0:
            return taken
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


@dataclass(frozen=True, slots=True)
class Sized(Program):
    """A workload at any depth."""

    made: Callable[[str, int], Request]

    def at(self, depth: int) -> Request:
        return self.made(self.request["workload"], min(depth, self.depth))


def grown(
    engine: Counted,
    made: Callable[[str, int], Request],
    seconds: float,
    workload: str,
    size: int,
) -> Growth | None:
    """None where it cannot be told: its work is not that of a program, or cannot be counted."""
    if workload == "small":
        return None
    program = Sized({"workload": workload}, [], size, "rounds", made)
    growth = growth_of(engine, program, seconds, MOST_WORK)
    return growth if isinstance(growth, Growth) else None


def uncounted(_workload: str, _size: int) -> None:
    """The growth of what is compiled."""
