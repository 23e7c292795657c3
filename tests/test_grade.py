"""As many verdicts as cases, in their order, whatever the engines do."""

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from grader.grade import Budget, run_cases
from grader.kit.case import Case
from grader.kit.engine import (
    ChangedRequest,
    Died,
    Engine,
    InvalidAnswer,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    TooMuchOutput,
)
from tests.cases import case

RIGHT = Returned({"value": [[1.0]]}, 0.0)
AMPLE = 3_600.0


class Answers:
    """An engine that gives what a function of the case does, and remembers what it was asked."""

    patience = 1.0

    def __init__(self, answer: Callable[[Case], Outcome]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def run(self, case: Case) -> Outcome:
        self.asked.append(case.name)
        return self.answer(case)


def numbered(count: int, **fields: Any) -> list[Case]:
    return [case(name=f"case_{n}", **fields) for n in range(count)]


def ample() -> Budget:
    return Budget.of(AMPLE)


def spent() -> Budget:
    return Budget(seconds=5.0, started=time.monotonic() - 6.0)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (RIGHT, "passed"),
        (Returned({"value": [[2.0]]}, 0.0), "wrong"),
        (Returned(None, 0.0), "wrong"),
        (Raised("KeyError", "x", (), 0.0), "raised"),
        (Raised("NotImplementedError", "", (), 0.0), "not_attempted"),
        (Raised("MemoryError", "", (), 0.0), "out_of_memory"),
        (TimedOut(1.0), "timed_out"),
        (Died("at once", 0.0), "crashed"),
        (ChangedRequest({"a": 1}, {"a": 2}, 0.0), "wrong"),
        (InvalidAnswer("no", 0.0), "invalid_answer"),
        (TooMuchOutput(0.0), "too_much_output"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_whatever_comes_of_a_case_all_others_get_their_verdicts(
    outcome: Outcome, status: str
) -> None:
    engine = Answers(lambda case: outcome if case.name == "case_1" else RIGHT)
    verdicts = run_cases(numbered(3), [engine], ample())
    assert [verdict.status for verdict in verdicts] == ["passed", status, "passed"]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_verdicts_come_in_the_order_of_the_cases(jobs: int) -> None:
    limits = itertools.cycle([0.5, 5.0, 1.0, 2.0])
    cases = [case(name=f"case_{n}", seconds=next(limits)) for n in range(23)]
    engines: list[Engine] = [Answers(lambda _: RIGHT) for _ in range(jobs)]
    verdicts = run_cases(cases, engines, ample())
    assert [verdict.case for verdict in verdicts] == cases


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_each_case_is_asked_exactly_once(jobs: int) -> None:
    engines = [Answers(lambda _: RIGHT) for _ in range(jobs)]
    cases = numbered(40)
    run_cases(cases, list(engines), ample())
    asked = Counter(name for engine in engines for name in engine.asked)
    assert asked == {each.name: 1 for each in cases}


def test_cases_with_the_longest_limits_are_asked_first() -> None:
    engine = Answers(lambda _: RIGHT)
    limits = {"short": 0.5, "long": 5.0, "usual": 1.0, "usual_too": 1.0}
    run_cases([case(name=n, seconds=s) for n, s in limits.items()], [engine], ample())
    assert engine.asked == ["long", "usual", "usual_too", "short"]


def test_several_engines_work_at_the_same_time() -> None:
    """Each waits for the other, so that one alone would never be done."""
    both = threading.Barrier(2, timeout=30)

    def meets(_: Case) -> Outcome:
        both.wait()
        return RIGHT

    engines = [Answers(meets), Answers(meets)]
    verdicts = run_cases(numbered(6), list(engines), ample())
    assert [verdict.status for verdict in verdicts] == ["passed"] * 6
    assert [len(engine.asked) for engine in engines] == [3, 3]


def test_more_engines_than_cases_are_no_harm() -> None:
    engines: list[Engine] = [Answers(lambda _: RIGHT) for _ in range(4)]
    assert len(run_cases(numbered(2), engines, ample())) == 2
    assert run_cases([], engines, ample()) == []


# --- the budget ----------------------------------------------------------------------------------


def test_once_the_budget_is_spent_nothing_is_asked_and_the_verdicts_say_so() -> None:
    engine = Answers(lambda _: RIGHT)
    verdicts = run_cases(numbered(3), [engine], spent())
    assert engine.asked == []
    assert [verdict.status for verdict in verdicts] == ["not_attempted"] * 3
    assert all("not reached within 5 s" in verdict.message for verdict in verdicts)


def test_what_was_asked_before_the_budget_was_spent_keeps_its_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock on which every case takes two seconds."""
    now = itertools.count(step=2).__next__
    monkeypatch.setattr("grader.grade.time.monotonic", now)
    engine = Answers(lambda _: RIGHT)
    verdicts = run_cases(numbered(5), [engine], Budget.of(5.0))
    assert [v.status for v in verdicts] == ["passed"] * 2 + ["not_attempted"] * 3
    assert engine.asked == ["case_0", "case_1"]


# --- the grader's own faults ---------------------------------------------------------------------


@pytest.mark.parametrize("error", [RuntimeError("broken"), RecursionError(), KeyError("x")])
def test_an_engine_that_breaks_the_grader_is_the_graders_fault_and_costs_no_other(
    error: Exception,
) -> None:
    def breaks(case: Case) -> Outcome:
        if case.name == "case_1":
            raise error
        return RIGHT

    verdicts = run_cases(numbered(3), [Answers(breaks)], ample())
    assert [verdict.status for verdict in verdicts] == ["passed", "grader_fault", "passed"]
    assert type(error).__name__ in verdicts[1].message


def nested(depth: int) -> Any:
    """What JSON can carry: a list in a list in a list."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


NESTED_IN: dict[str, Callable[[Any], Outcome]] = {
    "the whole result": lambda value: Returned(value, 0.0),
    "the value": lambda value: Returned({"value": value}, 0.0),
    "an entry": lambda value: Returned({"value": [[value]]}, 0.0),
    "a changed request": lambda value: ChangedRequest({"inputs": 1}, {"inputs": value}, 0.0),
    "a forged change": lambda value: ChangedRequest(value, value, 0.0),
}


@pytest.mark.parametrize("depth", [10, 100, 400, 900])
@pytest.mark.parametrize("where", NESTED_IN)
def test_an_answer_that_is_nested_deeply_is_judged_like_any_other(where: str, depth: int) -> None:
    """Comparing it must not exhaust the stack: that would end the run for all cases."""
    outcome = NESTED_IN[where](nested(depth))
    engine = Answers(lambda case: outcome if case.name == "case_0" else RIGHT)
    first, second = run_cases(numbered(2), [engine], ample())
    assert first.status in {"wrong", "invalid_answer"}
    assert second.status == "passed"


# --- whoever looks on ----------------------------------------------------------------------------


def test_whoever_looks_on_is_told_every_verdict_once() -> None:
    told: list[str] = []
    engines: list[Engine] = [Answers(lambda _: RIGHT) for _ in range(3)]
    cases = numbered(20)
    run_cases(cases, engines, ample(), lambda verdict: told.append(verdict.case.name))
    assert sorted(told) == sorted(each.name for each in cases)


def test_an_interrupt_stops_the_asking() -> None:
    def interrupted(_: Case) -> Outcome:
        raise KeyboardInterrupt

    engine = Answers(interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_cases(numbered(3), [engine], ample())
    assert engine.asked == ["case_0"]
