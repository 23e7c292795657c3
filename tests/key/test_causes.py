"""Which case fails because of which bug: alone, only together, and where bugs hide each other."""

from grader.bugs import catalogue
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.starter import STARTER
from grader.bugs.trial import PASSED, Trial
from grader.key.causes import Causes, causes_in, order_of
from grader.project import read_exercise

BUGS = [catalogue("tiny")[bug_id] for bug_id in STARTER["tiny"].bugs]


def test_every_case_that_fails_has_its_causes() -> None:
    cases = {case.name: case for case in suite("tiny")}
    with Trial("tiny") as trial:
        causes = causes_in(BUGS, trial)
        quick = [c for c in cases.values() if c.stage in ("contract", "stage1", "stage2")]
        failing = {case.name for case in quick if trial.how(BUGS, case) != PASSED}
    told = {n for n in causes.alone if cases[n].stage != "stage3"} | set(causes.together)
    assert told == failing
    for name, bugs in causes.alone.items():
        assert bugs == tuple(b.id for b in BUGS if name in read_matrix("tiny").failures[b.id])


def test_bugs_that_hide_each_other_are_said_to() -> None:
    """In the project's own engine two cancel, and one shows once backward is mended."""
    with Trial("tiny") as trial:
        hidden = causes_in(BUGS, trial).hidden
    assert hidden.pop("reduction_stretched_back") == ("mean-rows-only", "broadcast-unfinished")
    assert "add_must_not_hand_out_one_buffer" in hidden
    assert set(hidden.values()) == {("add-shares-one-buffer",)}


CAUSES = Causes({"x": ("a",), "y": ("a", "b"), "z": ("b", "c")}, (), {})


def test_causes_can_be_asked_for() -> None:
    assert CAUSES.only("a") == ["x"]
    assert CAUSES.of("b") == ["y", "z"]
    assert CAUSES.shared("a", "b") == ["y"]
    assert CAUSES.shared("a", "c") == []


def test_the_order_is_by_stage_and_then_by_how_much_fails() -> None:
    with Trial("tiny") as trial:
        causes = causes_in(BUGS, trial)
    ordered = order_of(BUGS, causes, read_exercise("tiny").order)
    assert sorted(bug.id for bug in ordered) == sorted(bug.id for bug in BUGS)
    assert [bug.stage for bug in ordered] == sorted(bug.stage for bug in ordered)
    numbers = [len(causes.of(bug.id)) for bug in ordered if bug.stage == "stage1"]
    assert numbers == sorted(numbers, reverse=True)
