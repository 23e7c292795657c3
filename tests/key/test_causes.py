"""Which case fails because of which bug: alone, only together, and where bugs hide each other."""

from dataclasses import replace

import pytest

from grader.bugs import catalogue
from grader.bugs.matrix import read_matrix
from grader.bugs.starter import STARTER
from grader.bugs.trial import PASSED, Trial, is_quick
from grader.key.causes import Causes, Meeting, asked, causes_in, order_of
from grader.project import read_exercise

BUGS = [catalogue("tiny")[bug_id] for bug_id in STARTER["tiny"].bugs]


@pytest.fixture(scope="module")
def causes() -> Causes:
    with Trial("tiny") as trial:
        return causes_in(BUGS, trial)


def test_every_case_that_fails_has_its_causes(causes: Causes) -> None:
    quick = [case for case in asked("tiny") if is_quick(case)]
    with Trial("tiny") as trial:
        failing = {case.name for case in quick if trial.how(BUGS, case) != PASSED}
    names = {case.name for case in quick}
    assert (causes.alone.keys() & names) | {each.case for each in causes.together} == failing
    for name, bugs in causes.alone.items():
        assert bugs == tuple(b.id for b in BUGS if name in read_matrix("tiny").failures[b.id])


def test_a_case_that_fails_because_of_a_bug_passes_without_any(causes: Causes) -> None:
    """The matrix says it of engines in the sandbox; the ones made here are to be the same."""
    cases = {case.name: case for case in asked("tiny") if is_quick(case)}
    with Trial("tiny") as trial:
        for name in causes.alone.keys() & cases.keys():
            alone = {bug.id for bug in BUGS if trial.how([bug], cases[name]) != PASSED}
            assert alone == set(causes.alone[name])
            assert trial.how([], cases[name]) == PASSED


def test_bugs_that_hide_each_other_are_said_to(causes: Causes) -> None:
    """In the project's own engine two cancel, and one shows once backward is mended."""
    hidden = {each.case: each for each in causes.hidden}
    both = ("mean-rows-only", "broadcast-unfinished")
    assert hidden.pop("reduction_stretched_back") == Meeting("reduction_stretched_back", both, both)
    assert "add_must_not_hand_out_one_buffer" in hidden
    assert {each.alone for each in hidden.values()} == {("add-shares-one-buffer",)}
    assert {each.bugs for each in hidden.values()} == {
        ("add-shares-one-buffer", "exponential-walk")
    }


def test_bugs_that_meet_are_the_fewest_that_do(causes: Causes) -> None:
    """All of them do it, and one fewer does not."""
    assert {each.case for each in causes.together} >= {"doubling_twice"}
    cases = {case.name: case for case in asked("tiny")}
    with Trial("tiny") as trial:
        for each in (*causes.together, *causes.hidden):
            meeting = [bug for bug in BUGS if bug.id in each.bugs]
            assert len(meeting) >= 2
            assert (trial.how(meeting, cases[each.case]) == PASSED) == bool(each.alone)
            for bug in meeting:
                fewer = [other for other in meeting if other != bug]
                if set(each.alone) <= {other.id for other in fewer}:
                    assert (trial.how(fewer, cases[each.case]) == PASSED) != bool(each.alone)


def test_a_case_that_wavers_is_not_tried(causes: Causes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may pass or fail, so it says nothing of bugs that meet."""
    case = "doubling_twice"
    assert case in {each.case for each in causes.together}
    wavers = replace(read_matrix("tiny"), unsteady={BUGS[0].id: (case,)})
    monkeypatch.setattr("grader.key.causes.read_matrix", lambda _: wavers)
    with Trial("tiny") as trial:
        assert case not in {each.case for each in causes_in(BUGS, trial).together}


def test_cases_of_new_requirements_are_not_asked() -> None:
    assert {case.visibility for case in asked("tensor")} == {"visible", "hidden"}


CAUSES = Causes({"x": ("a",), "y": ("a", "b"), "z": ("b", "c")}, (), ())


def test_causes_can_be_asked_for() -> None:
    assert CAUSES.only("a") == ["x"]
    assert CAUSES.of("b") == ["y", "z"]
    assert CAUSES.shared("a", "b") == ["y"]
    assert CAUSES.shared("a", "c") == []


def test_the_order_is_by_stage_and_then_by_how_much_fails(causes: Causes) -> None:
    ordered = order_of(BUGS, causes, read_exercise("tiny").order)
    assert sorted(bug.id for bug in ordered) == sorted(bug.id for bug in BUGS)
    assert [bug.stage for bug in ordered] == sorted(bug.stage for bug in ordered)
    numbers = [len(causes.of(bug.id)) for bug in ordered if bug.stage == "stage1"]
    assert numbers == sorted(numbers, reverse=True)
