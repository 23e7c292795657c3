"""Deep programs: first the count has a say, then patience, and last the clock."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.kit.case import Case, Request
from grader.kit.depth import PATIENCE, RATE, asked, growth_of, patience_for
from grader.kit.engine import Counts, Ended, Outcome, Raised, Returned, TimedOut, TooMuchWork
from grader.kit.growth import MOST_WORK, Growth, deep_program
from grader.kit.repeat import expanded
from tests.cases import case

ANSWER = {"value": [[1.0]]}
Law = Callable[[int], float]


class Timed:
    """Answers; `seconds` says how long it takes for so many steps."""

    patience = 1.0

    def __init__(self, seconds: Law) -> None:
        self.seconds = seconds
        self.given: list[float] = []

    def run(self, asked_for: Case) -> Outcome:
        self.given.append(asked_for.seconds)
        seconds = self.seconds(len(asked_for.request["steps"]))
        return TimedOut(seconds) if seconds > asked_for.seconds else Returned(ANSWER, seconds)


class Paced(Timed):
    """Its work follows a law of the number of steps, whatever the clock says."""

    def __init__(self, work: Law, seconds: Law = lambda _: 0.0, ended: Ended = "") -> None:
        super().__init__(seconds)
        self.work = work
        self.ended = ended
        self.counted: list[int] = []

    def counts(self, requests: Sequence[Request], most: int, seconds: float) -> Counts:
        if self.ended:
            return Counts(ended=self.ended)
        depths = [len(request["steps"]) for request in requests]
        self.counted += depths
        work = [round(self.work(depth)) for depth in depths]
        within = next((at for at, amount in enumerate(work) if amount > most), len(work))
        return Counts(tuple(work[:within]), "most" if within < len(work) else "")


def deep(times: int, seconds: float = 1.0) -> Case:
    block = {"times": times, "carry": {"h": "x"}, "steps": [["h", "add", "h", "h"]], "result": "h"}
    steps: list[Any] = [{"repeat": block}]
    whole = case(op="value", steps=expanded(steps), output="h", seconds=seconds)
    return replace(whole, steps=steps)


@pytest.mark.parametrize(
    ("law", "times", "counted"),
    [
        (lambda n: 50 * n, 20_000, [4, 4, 8, 12, 16]),
        (lambda n: n**2, 100, [4, 4, 8, 12, 16, 32, 32, 64, 64, 100, 100]),
        (lambda n: 2**n, 1_000, [4, 4, 8, 12, 16]),
    ],
)
def test_depths_are_doubled_until_the_growth_is_told(
    law: Law, times: int, counted: list[int]
) -> None:
    engine = Paced(law)
    asked(engine, deep(times))
    assert engine.counted == counted


@pytest.mark.parametrize(
    ("law", "times", "work"),
    [
        (lambda n: 50 * n, 20_000, 1_000_000),
        (lambda n: n**2, 100, 10_000),
        (lambda n: n**2, 10_000, 100_000_000),
        (lambda n: n**3, 1_000, 1_000_000_000),
    ],
)
def test_the_work_of_the_whole_is_foreseen(law: Law, times: int, work: int) -> None:
    program = deep_program(deep(times))
    assert program is not None
    growth = growth_of(Paced(law), program, 1.0)
    assert isinstance(growth, Growth)
    assert growth.work == pytest.approx(work, rel=0.15)


def test_work_that_cannot_be_counted_to_its_end_is_at_least_in_proportion() -> None:
    program = deep_program(deep(40))
    assert program is not None
    growth = growth_of(Paced(lambda _: MOST_WORK + 1), program, 1.0)
    assert isinstance(growth, Growth)
    assert (growth.work, growth.beyond) == (10 * MOST_WORK, 4)


@pytest.mark.parametrize("seconds", [0.0, 2.0, 4.9])
def test_a_slow_machine_fails_nobody_whose_work_grows_in_step(seconds: float) -> None:
    engine = Paced(lambda n: 50 * n, lambda n: seconds * n / 1_000)
    assert isinstance(asked(engine, deep(1_000)), Returned)
    assert engine.given[0] == PATIENCE


@pytest.mark.parametrize("seconds", [0.0, 2.0, 100.0])
def test_too_much_work_is_too_slow_on_the_fastest_machine(seconds: float) -> None:
    engine = Paced(lambda n: 60 * n**2, lambda _: seconds)
    outcome = asked(engine, deep(1_000))
    assert isinstance(outcome, TooMuchWork)
    assert outcome.why == (
        "too slow: its work grows with the square of depth: "
        "16, 32, 64, 128 rounds run 15,000, 61,000, 250,000, more than 400,000 lines of Python; "
        "1,000 rounds have 1 s, 5,000,000 lines"
    )
    assert engine.given == []  # nobody waits for it


def test_just_as_much_work_as_is_allowed_passes() -> None:
    a_step = RATE / 1_000
    assert isinstance(asked(Paced(lambda n: a_step * n), deep(1_000)), Returned)
    assert isinstance(asked(Paced(lambda n: 1.001 * a_step * n), deep(1_000)), TooMuchWork)


def test_time_that_grows_with_the_square_shows_though_no_count_does() -> None:
    engine = Paced(lambda n: 50 * n, lambda n: 2e-6 * n**2)
    outcome = asked(engine, deep(1_000))
    assert isinstance(outcome, TooMuchWork)
    assert outcome.why == "too slow: its time grows with the square of depth or faster"


def test_one_slow_moment_is_no_growth() -> None:
    times = iter([2.0, 0.05, 0.05, 0.05, 0.2])
    outcome = asked(Paced(lambda n: 50 * n, lambda _: next(times)), deep(1_000))
    assert outcome == Returned(ANSWER, 2.0)


def test_what_never_ends_is_given_up_with_the_case_s_own_seconds() -> None:
    outcome = asked(Paced(lambda n: 50 * n, lambda _: 1e9), deep(1_000))
    assert isinstance(outcome, TimedOut)


@pytest.mark.parametrize(
    ("ended", "given"), [("unknown", [1.0]), ("raised", [PATIENCE]), ("late", [])]
)
def test_what_cannot_be_counted_is_run_unless_it_hung(ended: Ended, given: list[float]) -> None:
    engine = Paced(lambda n: 50 * n, ended=ended)
    outcome = asked(engine, deep(1_000))
    assert engine.given == given
    assert outcome == (Returned(ANSWER, 0.0) if given else TimedOut(1.0))


@pytest.mark.parametrize("times", [5, 1_000])
def test_an_engine_that_counts_nothing_is_timed_as_ever(times: int) -> None:
    engine = Timed(lambda _: 0.5)
    assert isinstance(asked(engine, deep(times)), Returned)
    assert engine.given == [1.0]
    assert patience_for(engine, deep(times)) == 1.0


def test_a_shallow_case_is_timed_as_ever() -> None:
    engine = Paced(lambda _: 10 * RATE)
    assert isinstance(asked(engine, deep(5)), Returned)
    assert engine.given == [1.0]
    assert patience_for(engine, deep(5)) == 1.0


class Raising(Paced):
    def run(self, asked_for: Case) -> Outcome:
        return Raised("RecursionError", "", (), 0.1)


def test_an_exception_of_the_whole_is_an_answer() -> None:
    assert isinstance(asked(Raising(lambda n: 50 * n), deep(1_000)), Raised)
