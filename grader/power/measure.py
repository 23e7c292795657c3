"""What tests are worth: which of them are valid, and which bug each of those catches.

A test is valid if it passes on every correct engine, each time: before all others, and after them
in the other order. A bug is caught if a valid test fails on its engine, by an assertion or another
exception. Running out of time, dying, or an error of a fixture is told apart.

A test can tell one engine from another by its text as well as by what it does; nothing here keeps
a test from that, and a person should look at tests that catch everything.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Literal

from grader.bugs import Bug, apply, base_source
from grader.power.engines import correct_engines
from grader.power.results import Asked, Result, Run, run_all
from grader.power.run import Ask

FIRST_SECONDS = 5.0  # a test's limit on a correct engine
LEAST_SECONDS = 1.0
TIMES = 10.0  # how much longer it may take on an engine with a bug
Catch = Literal["caught", "timed_out", "crashed", "not_run", "survived"]


@dataclass(frozen=True, slots=True)
class Invalid:
    """A test that a correct engine does not always pass, or a file that cannot be read; and why."""

    test: str
    why: str


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a bug: the valid tests that fail on it, or else why none does."""

    bug: Bug
    catch: Catch
    by: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Power:
    """What a suite is worth. `unread` are files that pytest could not collect."""

    exercise: str
    valid: tuple[str, ...]
    invalid: tuple[Invalid, ...]
    unread: tuple[Invalid, ...]
    fates: tuple[Fate, ...]
    sandbox: str = ""
    notes: tuple[str, ...] = ()

    @property
    def caught(self) -> int:
        return sum(fate.catch == "caught" for fate in self.fates)

    @property
    def share(self) -> float:
        return self.caught / len(self.fates) if self.fates else 0.0


Round = dict[str, Run]  # by the name of a correct engine


def measure(
    exercise: str,
    bugs: Iterable[Bug],
    runners: Callable[[], Asked],
    jobs: int,
    on_engine: Callable[[], object] = lambda: None,
) -> Power:
    """Run the tests on each correct engine, on each bug's, and on each correct engine again.

    `runners` makes a runner, one for each of `jobs` threads. Raises WorkerFault.
    """
    bugs = tuple(bugs)
    correct = correct_engines(exercise)
    own = local()

    def on(source: str, ask: Ask) -> Run:
        if not hasattr(own, "runner"):  # a sandbox ends with the thread that has started it
            own.runner = runners()
        found = run_all(own.runner, source, ask)
        on_engine()
        return found

    with ThreadPoolExecutor(jobs) as pool:

        def on_all(sources: Iterable[str], ask: Ask) -> list[Run]:
            return list(pool.map(lambda source: on(source, ask), sources))

        first = on_all(correct.values(), Ask(FIRST_SECONDS))
        passed = _always_passed(first)
        broken = [apply([bug], base_source(exercise)) for bug in bugs] if passed else []
        on_bugs = on_all(broken, Ask(_limit(first, passed), only=tuple(passed)))
        again = Ask(FIRST_SECONDS, reverse=True, only=tuple(_worth_another_run(first)))
        second = on_all(correct.values(), again)

    rounds = [dict(zip(correct, tests, strict=True)) for tests in (first, second)]
    invalid = invalid_in(rounds)
    valid = tuple(test for test in passed if test not in {each.test for each in invalid})
    unread = {name: why for found in first + second for name, why in found.unread.items()}
    fates = [fate(bug, found, valid) for bug, found in zip(bugs, on_bugs, strict=bool(passed))]
    return Power(
        exercise,
        valid,
        tuple(invalid),
        tuple(Invalid(name, why) for name, why in unread.items()),
        tuple(fates or (Fate(bug, "survived") for bug in bugs)),
    )


def _always_passed(runs: list[Run]) -> list[str]:
    return [test for test in runs[0].results if all(_passed(run, test) for run in runs)]


def _passed(run: Run, test: str) -> bool:
    return test in run.results and run.results[test].status == "passed"


def _limit(runs: list[Run], tests: list[str]) -> float:
    """Seconds for a test on an engine with a bug."""
    slowest = max((run.results[test].seconds for run in runs for test in tests), default=0.0)
    return min(max(LEAST_SECONDS, TIMES * slowest), TIMES * FIRST_SECONDS)


def _worth_another_run(runs: list[Run]) -> dict[str, None]:
    """Not what has hung or died: that is invalid, and would take its time once more."""
    ended_badly = {
        test
        for run in runs
        for test, result in run.results.items()
        if result.status in ("timed_out", "crashed")
    }
    return {test: None for run in runs for test in run.results if test not in ended_badly}


def invalid_in(rounds: list[Round]) -> list[Invalid]:
    """What is wrong with each test that has not passed everywhere, in the words of one engine."""
    tests = {test: None for each in rounds for run in each.values() for test in run.results}
    found = []
    for test in tests:
        whys = [
            f"on {name}: {why}"
            for why_of in (_why_not_passed, _why_not_run)
            for name in rounds[0]
            if (why := why_of(test, [each[name] for each in rounds]))
        ]
        if whys:
            found.append(Invalid(test, whys[0]))
    return found


def _why_not_passed(test: str, runs: list[Run]) -> str:
    """Empty for a test that has passed whenever it was run on one engine."""
    seen = [run.results[test] for run in runs if test in run.results]
    bad = [result for result in seen if result.status != "passed"]
    if not bad:
        return ""
    why = bad[0].why or bad[0].status.replace("_", " ")
    return why if len(bad) == len(seen) else f"not steady, it passes and it fails: {why}"


def _why_not_run(test: str, runs: list[Run]) -> str:
    if all(test in run.results for run in runs):
        return ""
    cut_short = next((run.cut_short for run in runs if run.cut_short), "")
    return "it was not run each time" + (f": {cut_short}" if cut_short else "")


def fate(bug: Bug, found: Run, valid: tuple[str, ...]) -> Fate:
    """What the valid tests have made of the bug's engine."""
    results = {test: found.results.get(test) for test in valid}
    by = tuple(test for test, result in results.items() if _is(result, "failed"))
    if by:
        return Fate(bug, "caught", by)
    for status in ("timed_out", "crashed"):
        for result in results.values():
            if result is not None and result.status == status:
                return Fate(bug, status, why=result.why)
    for test, result in results.items():
        if result is None:
            unread = found.unread.get(test.partition("::")[0], "")
            return Fate(bug, "not_run", why=unread or found.cut_short or f"{test} was not there")
        if result.status == "error":
            return Fate(bug, "not_run", why=result.why)
    return Fate(bug, "survived")


def _is(result: Result | None, status: str) -> bool:
    return result is not None and result.status == status
