"""What an engine is to the grader, and what can come of asking it.

An engine that runs in this process and one that runs in a sandbox differ only here: both are
asked a case and give an `Outcome`, and the judge never learns which it was.
"""

import json
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol, runtime_checkable

from grader.kit import worker
from grader.kit.case import Case, Request
from grader.kit.deadline import DeadlinePassed, interrupting
from grader.kit.resident import resident_bytes

IMPORT_SECONDS = 5.0
Ended = Literal["", "most", "raised", "late", "unknown"]
ENDED: dict[str, Ended] = {"": "", "most": "most", "raised": "raised", "unknown": "unknown"}
ARCHIVES = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".tar", ".bundle")


@dataclass(frozen=True)
class Frame:
    """A place in the engine's own code, on the way to an exception."""

    file: str
    line: int
    function: str
    code: str


@dataclass(frozen=True)
class Returned:
    """Plain data: what JSON can carry, in built-in types.

    `resident` is how many bytes the process held each time the case asked for a look at it.
    """

    result: Any
    seconds: float
    resident: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Raised:
    """An exception left the engine.

    `kind` is the name of its class, `bases` are the built-in classes that it is one of.
    """

    kind: str
    message: str
    frames: tuple[Frame, ...]
    seconds: float
    bases: tuple[str, ...] = ()

    def is_a(self, name: str) -> bool:
        return name == self.kind or name in self.bases


@dataclass(frozen=True)
class TimedOut:
    """No answer within the case's limit."""

    seconds: float


@dataclass(frozen=True)
class TooMuchWork:
    """Its work, counted on short programs, grows beyond what the case allows. `why` says how."""

    why: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Died:
    """The engine's process ended without an answer. `how` says so in words."""

    how: str
    seconds: float


@dataclass(frozen=True)
class ChangedRequest:
    """The engine wrote into its arguments."""

    before: Any
    after: Any
    seconds: float


@dataclass(frozen=True)
class InvalidAnswer:
    """Something came back, but no answer to this request in plain data."""

    why: str
    seconds: float


@dataclass(frozen=True)
class TooMuchOutput:
    """More came back than any right answer could need."""

    seconds: float


@dataclass(frozen=True)
class NotAttempted:
    """The case was never put to the engine."""

    why: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Faulted:
    """The grader itself failed; this says nothing about the engine."""

    why: str
    seconds: float = 0.0


Outcome = (
    Returned
    | Raised
    | TimedOut
    | TooMuchWork
    | Died
    | ChangedRequest
    | InvalidAnswer
    | TooMuchOutput
    | NotAttempted
    | Faulted
)


class Engine(Protocol):
    """Something that can be asked a case.

    `patience` says how many times a case's seconds it is given: 1 for whoever is being graded.
    """

    patience: float

    def run(self, case: Case) -> Outcome:
        """Ask every request of the case within its seconds; the last answer is the outcome."""


@dataclass(frozen=True)
class Counts:
    """What an engine counted: the work of each request that came to an end, in their order.

    `ended` is empty where all did. Else it says why the first of the rest did not: `most` for more
    work than was to be counted, `raised` for an exception, `late` where the time was up, `unknown`
    where nothing can be counted.
    """

    work: tuple[int, ...] = ()
    ended: Ended = ""


@runtime_checkable
class Counted(Engine, Protocol):
    """An engine whose work can be counted, not only timed."""

    def counts(self, requests: Sequence[Request], most: int, seconds: float) -> Counts:
        """The work of each request, in one fresh module; none of them more than `most`."""


class EngineError(Exception):
    """An engine that cannot be used at all; the text is one line that says why."""


@dataclass(frozen=True)
class EngineFile:
    """Where an engine's source lies.

    An engine named by its folder may have modules of its own beside it; one named as a file stands
    alone, since anything may lie beside it. `driver` is the file that turns requests into calls,
    where the exercise has one; `is_packed` says whether packages come with it. `said` is what a
    person called it, where that is not the path.
    """

    path: Path
    stands_alone: bool
    driver: Path | None = None
    said: str = ""
    is_packed: bool = True

    def __str__(self) -> str:
        return self.said or str(self.path)


def driver_of(exercise: str, fixtures: Path) -> Path | None:
    """Lies beside the exercise's cases, as it is handed out with them."""
    driver = fixtures / exercise / "driver.py"
    return driver if driver.is_file() else None


def find_engine(
    name: str, exercise: str, bases: Iterable[Path], driver: Path | None = None
) -> EngineFile:
    """A file as it is; in a folder its <exercise>.py, also one level down in candidate/.

    A relative name is looked up in each of `bases` in turn. Raises EngineError.
    """
    for base in bases:
        given = base / name
        if given.is_file():
            if given.suffix != ".py":
                unpack = "; unpack it first" if given.suffix in ARCHIVES else ""
                raise EngineError(f"{name}: an engine is a .py file or a folder{unpack}")
            return EngineFile(given, stands_alone=True, driver=driver)
        if given.is_dir():
            for file in (given / f"{exercise}.py", given / "candidate" / f"{exercise}.py"):
                if file.is_file():
                    if not file.resolve().is_relative_to(given.resolve()):
                        raise EngineError(f"{name}: {file.name} is a link to outside the folder")
                    return EngineFile(file, stands_alone=False, driver=driver)
            raise EngineError(
                f"{name}: the folder has no {exercise}.py, nor candidate/{exercise}.py"
            )
    raise EngineError(f"{name}: there is no such engine, file or folder")


def texts_of(requests: Iterable[Request]) -> list[str]:
    """As the JSON texts that are sent to an engine."""
    return [json.dumps(request) for request in requests]


def outcome_of(
    answer: dict[str, Any], seconds: float, resident: tuple[int | None, ...] = ()
) -> Outcome:
    """Read a worker's answer. It may have been forged, so nothing in it is taken for granted."""
    match answer:
        case {"returned": result}:
            return Returned(result, seconds, resident)
        case {
            "raised": {
                "kind": str(kind),
                "bases": list(bases),
                "message": str(message),
                "frames": list(frames),
            }
        }:
            return Raised(
                kind, message, tuple(map(_frame, frames)), seconds, tuple(map(str, bases))
            )
        case {"changed": {"before": before, "after": after}}:
            return ChangedRequest(before, after, seconds)
        case {"invalid": str(why)}:
            return InvalidAnswer(why, seconds)
    return InvalidAnswer("the answer is not of the agreed form", seconds)


def counts_of(answer: Any, asked: int) -> Counts:
    """Read a worker's answer to being asked for counts, as warily as any other."""
    match answer:
        case {"counts": list(work), "ended": str(ended)}:
            are_numbers = all(type(amount) is int and amount >= 0 for amount in work)
            is_whole = len(work) < asked if ended else len(work) == asked
            if are_numbers and is_whole and ended in ENDED:
                return Counts(tuple(work), ENDED[ended])
    return Counts(ended="unknown")


def _frame(frame: Any) -> Frame:
    match frame:
        case {"file": str(file), "line": int(line), "function": str(function), "code": str(code)}:
            return Frame(file, line, function, code)
    return Frame("?", 0, "?", "")


class InProcessEngine:
    """Runs an engine in this very process: at once, but trusting it, and able to be debugged.

    `let_through` are exceptions that belong to the caller: a debugger's, or a time limit's.
    After a case whose outcome is Raised, `caught` is the exception itself.
    """

    patience = 1.0

    def __init__(self, file: EngineFile, let_through: tuple[type[BaseException], ...] = ()) -> None:
        driver = load_driver(file.driver) if file.driver else None
        try:
            with interrupting(IMPORT_SECONDS):
                engine, problem = worker.load(
                    str(file.path),
                    (*let_through, DeadlinePassed),
                    stands_alone=file.stands_alone,
                    driver=driver,
                )
        except DeadlinePassed:
            engine, problem = None, f"was not imported within {IMPORT_SECONDS:g} s"
        if engine is None:
            raise EngineError(f"{file}: {problem}")
        self.engine = engine
        self.let_through = let_through
        self.caught: BaseException | None = None

    def run(self, case: Case) -> Outcome:
        self.caught = None
        texts = texts_of(case.requests)
        resident: list[int | None] = []

        def measure() -> None:
            resident.append(resident_bytes(os.getpid()))

        start = time.perf_counter()
        answer, self.caught = worker.ask(self.engine, texts, self.let_through, measure)
        seconds = time.perf_counter() - start
        if seconds > case.seconds:  # a limit that the engine swallowed is still a limit
            return TimedOut(seconds)
        return outcome_of(answer, seconds, tuple(resident))

    def counts(self, requests: Sequence[Request], most: int, seconds: float) -> Counts:
        """Whoever interrupts `run` interrupts this too."""
        texts = texts_of(requests)
        start = time.perf_counter()
        answer = worker.count(self.engine, texts, most, self.let_through)
        if time.perf_counter() - start > seconds:
            return Counts(ended="late")
        return counts_of(answer, len(texts))


def load_driver(path: Path) -> ModuleType:
    """The exercise's driver, in this process. Raises EngineError where it lacks a package."""
    try:
        return worker.load_driver(str(path))
    except ModuleNotFoundError as missing:
        raise EngineError(needs(path.parent.name, str(missing.name))) from None


def needs(exercise: str, package: str) -> str:
    """What to do about a package that an exercise cannot do without."""
    return f"the {exercise} exercise needs {package}: pip install 'autograde[{package}]'"
