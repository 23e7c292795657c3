"""Trying engines with bugs: what they answer, and what becomes of those that are none."""

import pytest

from grader.bugs import Bug, BugError, catalogue
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.trial import PASSED, Trial
from grader.kit.engine import TooMuchWork

CASES = {case.name: case for case in suite("tiny")}


def bugs(*names: str) -> list[Bug]:
    return [catalogue("tiny")[name] for name in names]


def test_it_says_what_the_matrix_says() -> None:
    failed = read_matrix("tiny").failures["tanh-from-input"]
    with Trial("tiny") as trial:
        for name in ("tanh_of_one_number", "tanh_of_tanh", "sub_of_two_numbers"):
            expected = failed.get(name, PASSED)
            assert trial.how(bugs("tanh-from-input"), CASES[name]) == expected
            assert trial.how([], CASES[name]) == PASSED


def test_bugs_whose_edits_overlap_are_refused() -> None:
    with Trial("tiny") as trial, pytest.raises(BugError):
        trial.engine(bugs("sub-second-sign", "sub-first-negated"))


def test_an_engine_that_does_not_end_is_stopped_and_then_given_up() -> None:
    """Either bug alone ends: together they pass a step on to itself for ever."""
    looping = bugs("reused-name", "pending-list-is-a-stack")
    case = CASES["step_takes_the_name_of_an_input"]
    with Trial("tiny") as trial:
        for bug in looping:
            trial.how([bug], case)
        assert trial.how(looping, case) == "timed_out"
        with pytest.raises(BugError, match="does not end"):
            trial.how(looping, case)


def test_a_deep_program_is_too_slow_by_its_work_and_not_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No engine is run that would only be stopped."""

    def run(*_: object) -> None:
        raise AssertionError("an engine was run")

    monkeypatch.setattr("grader.kit.engine.InProcessEngine.run", run)
    case = next(case for case in CASES.values() if case.name == "shrinking_stack_of_20000")
    with Trial("tiny") as trial:
        outcome = trial.outcome(bugs("looks-through-all-steps"), case)
    assert isinstance(outcome, TooMuchWork)
    assert "grows with the square of depth" in outcome.why
