"""From what tests told to what they are worth: which are valid, and which bug each of them catches.

A test is valid if it passes on every correct engine, each time. A bug is caught if a valid test
fails on its engine; running out of time or dying is told apart, as an engine that hangs would make
any test do so.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Literal

from grader.bugs import Bug, apply, base_source
from grader.power.run import Runner, Told
from grader.project import ROOT

FIRST_SECONDS = 5.0  # a test's limit on a correct engine
LEAST_SECONDS = 1.0
RUNS = 2  # of each correct engine, in either order
TIMES = 10.0  # how much longer it may take on an engine with a bug
Catch = Literal["caught", "timed_out", "crashed", "survived"]
Status = Literal["passed", "failed", "error", "skipped", "timed_out", "crashed", "missing"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a test on an engine, and why in a line."""

    status: Status
    why: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Invalid:
    """A test that a correct engine does not always pass, and why not."""

    test: str
    why: str


@dataclass(frozen=True, slots=True)
class Power:
    """What a suite is worth. `unread` are files that pytest could not collect.

    `by` has for each bug the valid tests that fail on it, and `catches` what became of it.
    """

    exercise: str
    valid: tuple[str, ...]
    invalid: tuple[Invalid, ...]
    unread: tuple[Invalid, ...]
    catches: dict[str, Catch]
    by: dict[str, tuple[str, ...]]
    bugs: tuple[Bug, ...]
    notes: tuple[str, ...] = ()

    @property
    def caught(self) -> int:
        return sum(catch == "caught" for catch in self.catches.values())

    @property
    def share(self) -> float:
        return self.caught / len(self.catches) if self.catches else 0.0


def correct_engines(exercise: str) -> dict[str, str]:
    """Right engines of different construction, as sources by their names."""
    return {
        "the reference": (ROOT / "reference" / f"{exercise}.py").read_text(encoding="utf-8"),
        "the catalogue's correct engine": base_source(exercise),
    }


def results_in(told: Told) -> dict[str, Result]:
    """By test. What a test says of itself is taken as far as it has the right form."""
    results: dict[str, Result] = {}
    begun = ""
    for line in told.lines:
        match line:
            case {"begun": str(test)}:
                begun = test
                results.setdefault(test, Result("missing"))
            case {"test": str(test), "when": when, "outcome": outcome, "why": str(why)}:
                results[test] = _result(when, outcome, why, line.get("seconds"), results.get(test))
    if told.ended != "ended" and begun and results[begun].status == "missing":
        is_late = told.ended == "late"
        results[begun] = Result("timed_out" if is_late else "crashed", told.ended)
    return results


def _result(
    when: object, outcome: object, why: str, seconds: object, before: Result | None
) -> Result:
    took = float(seconds) if isinstance(seconds, int | float) else 0.0
    if before is not None and before.status not in ("missing", "passed"):
        return before  # a teardown changes nothing of what was wrong before
    match when, outcome:
        case _, "timed_out":
            return Result("timed_out", "it took too long", took)
        case _, "skipped":
            return Result("skipped", "it was skipped", took)
        case "call", "passed":
            return Result("passed", "", took)
        case "call", "failed":
            return Result("failed", why, took)
        case _:
            return Result("error", why, took)


def unread_in(told: Told) -> list[Invalid]:
    """Files that could not be collected."""
    found = []
    for line in told.lines:
        match line:
            case {"unread": str(where), "why": str(why)}:
                found.append(Invalid(where, why))
    return found


# --- measuring -----------------------------------------------------------------------------------


def measure(
    exercise: str,
    bugs: Iterable[Bug],
    runners: Callable[[], Runner],
    jobs: int,
    on_engine: Callable[[], object] = lambda: None,
) -> Power:
    """Run everything: each correct engine twice, in either order, then each bug's engine.

    `runners` makes a runner that is started; a thread uses one for all its engines. Raises
    WorkerFault.
    """
    bugs = tuple(bugs)
    with ThreadPoolExecutor(1) as pool:  # a sandbox ends with the thread that has started it
        valid, invalid, unread, seconds = pool.submit(
            _on_correct_engines, exercise, runners, on_engine
        ).result()
    catches: dict[str, Catch] = {}
    by: dict[str, tuple[str, ...]] = {}
    own = local()

    def tried(bug: Bug) -> tuple[Bug, dict[str, Result]]:
        if not hasattr(own, "runner"):
            own.runner = runners()
        told = own.runner.run(apply([bug], base_source(exercise)), seconds)
        on_engine()
        return bug, _with_end(results_in(told), valid, told)

    if valid:
        with ThreadPoolExecutor(jobs) as pool:
            for bug, results in pool.map(tried, bugs):
                by[bug.id] = tuple(t for t in valid if results[t].status == "failed")
                catches[bug.id] = _catch([results[test].status for test in valid])
    else:
        catches = {bug.id: "survived" for bug in bugs}
        by = {bug.id: () for bug in bugs}
    return Power(exercise, tuple(valid), tuple(invalid), tuple(unread), catches, by, bugs)


def _on_correct_engines(
    exercise: str, runners: Callable[[], Runner], on_engine: Callable[[], object]
) -> tuple[list[str], list[Invalid], list[Invalid], float]:
    """Valid tests, invalid ones, unread files, and a test's limit from here on."""
    runner = runners()
    seen: dict[str, list[tuple[str, Result]]] = {}
    unread: dict[str, Invalid] = {}
    runs = [(n, s, r) for n, s in correct_engines(exercise).items() for r in (False, True)]
    for name, source, reverse in runs:
        told = runner.run(source, FIRST_SECONDS, reverse=reverse)
        unread |= {each.test: each for each in unread_in(told)}
        for test, result in results_in(told).items():
            seen.setdefault(test, []).append((name, result))
        if told.ended != "ended":
            ending = Result("crashed", f"the tests' process was lost ({told.ended})")
            unfinished = [each for each in seen.values() if each[-1][1].status == "missing"]
            for results in unfinished:
                results.append((name, ending))
        on_engine()
    valid, invalid, slowest = [], [], 0.0
    for test, results in seen.items():
        bad = [(name, result) for name, result in results if result.status != "passed"]
        if bad:
            name, result = bad[0]
            steady = len(bad) == len(results) or result.status in ("skipped", "error")
            what = result.why or result.status.replace("_", " ")
            doubt = "" if steady else "; it does not always do so"
            invalid.append(Invalid(test, f"on {name}: {what}{doubt}"))
        elif len(results) < len(runs):
            invalid.append(Invalid(test, "it was not run each time"))
        else:
            valid.append(test)
            slowest = max([slowest, *(result.seconds for _, result in results)])
    return valid, invalid, list(unread.values()), max(LEAST_SECONDS, TIMES * slowest)


def _with_end(results: dict[str, Result], valid: list[str], told: Told) -> dict[str, Result]:
    """With what became of tests that were never come to."""
    lost: Result = Result("missing", told.ended)
    return {test: results.get(test, lost) for test in valid}


def _catch(statuses: list[Status]) -> Catch:
    if "failed" in statuses:
        return "caught"
    if "timed_out" in statuses:
        return "timed_out"
    return "crashed" if "crashed" in statuses or "missing" in statuses else "survived"
