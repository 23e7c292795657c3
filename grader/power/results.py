"""From what was told, line by line, to what became of each test; a line can be of any form."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from grader.kit.worker import printable
from grader.power.run import Ask, Told

MOST_STARTS = 5
Status = Literal["passed", "failed", "error", "skipped", "timed_out", "crashed"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a test on an engine, and why in a line.

    status   failed only if the test itself did, by an assertion or another exception; an error is
             one of a fixture
    seconds  how long the test took
    """

    status: Status
    why: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """On one engine: results by test, and why a file could not be read, by its name.

    `cut_short` says why tests may be missing; empty if none are.
    """

    results: dict[str, Result] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    cut_short: str = ""


class Asked(Protocol):
    """What runs tests on the engine of a source."""

    def run(self, source: str, ask: Ask) -> Told: ...


def run_all(runner: Asked, source: str, ask: Ask) -> Run:
    """A test that ends the process of all takes only itself with it: the others are run again.

    Raises WorkerFault.
    """
    sofar = Run()
    for _ in range(MOST_STARTS):
        found = read(runner.run(source, ask))
        sofar = Run(
            {**sofar.results, **found.results}, {**sofar.unread, **found.unread}, found.cut_short
        )
        if not found.cut_short or not (found.results or found.unread):
            break
        done = (*ask.without, *found.results)
        ask = replace(ask, without=done, ignore=(*ask.ignore, *found.unread))
    return sofar


def read(told: Told) -> Run:
    """What was begun and never ended is what took the process with it."""
    results: dict[str, Result] = {}
    unread: dict[str, str] = {}
    begun = reading = ""
    for line in told.lines:
        match line:
            case {"reading": str(file)}:
                reading = file
            case {"begun": str(test)}:
                begun = test
            case {"unread": str(where), "why": str(why)}:
                unread[where] = printable(why)
            case {"test": str(test), "when": when, "outcome": outcome, "why": str(why)}:
                seconds = line.get("seconds")
                took = float(seconds) if isinstance(seconds, int | float) else 0.0
                result = _result(when, outcome, printable(why), took)
                if test not in results or results[test].status == "passed":
                    results[test] = result  # a teardown changes nothing of what was wrong before
    is_stopped = bool(begun) and begun not in results
    if told.ended == "ended" and not is_stopped:
        return Run(results, unread)
    how = _how(told.ended)
    if is_stopped:
        results[begun] = Result("timed_out" if told.ended == "late" else "crashed", how)
    elif reading and not begun:
        unread[reading] = f"while it was read, {how}"
    return Run(results, unread, how)


def _how(ended: str) -> str:
    if ended == "late":
        return "it took too long"
    if ended == "ended":
        return "it stopped the run of all tests"
    return f"the tests' process ended ({printable(ended)})"


def _result(when: Any, outcome: Any, why: str, seconds: float) -> Result:
    match when, outcome:
        case _, "timed_out":
            return Result("timed_out", "it took too long", seconds)
        case _, "skipped":
            return Result("skipped", "it was skipped" + (f": {why}" if why else ""), seconds)
        case "call", "passed":
            return Result("passed", "", seconds)
        case "call", "failed":
            return Result("failed", why, seconds)
        case _:
            return Result("error", why, seconds)
