"""From verdicts to points."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit.engine import NotAttempted, Returned
from grader.kit.judge import Status, Verdict
from grader.project import Exercise, Stage
from grader.score import OUT_OF, Grade, score
from tests.cases import case

NAMES = ("contract", "stage1", "stage2", "stage3")
WEIGHTS = st.floats(0.01, 1_000.0)


def exercise(*weights: float) -> Exercise:
    stages = {n: Stage(n, w, "") for n, w in zip(NAMES, weights, strict=False)}
    return Exercise("tiny", "Tiny", 55, stages)


def verdict(stage: str, status: Status) -> Verdict:
    outcome = NotAttempted("") if status == "not_attempted" else Returned(None, 0.0)
    return Verdict(case(stage=stage), outcome, status, "")


def graded(weights: Iterable[float], **statuses: str) -> Grade:
    """Statuses by stage, as words: `stage1="passed wrong"`."""
    verdicts = [
        verdict(stage, status)  # type: ignore[arg-type]
        for stage, words in statuses.items()
        for status in words.split()
    ]
    return score(exercise(*weights), "candidate", "bwrap", verdicts, [])


def test_points_are_shares_by_weight_and_by_cases_passed() -> None:
    grade = graded([10, 40], contract="passed passed", stage1="passed wrong wrong raised")
    assert grade.stages["contract"].points == grade.stages["contract"].out_of == 5.0
    assert (grade.stages["stage1"].points, grade.stages["stage1"].out_of) == (5.0, 20.0)
    assert grade.points == 10.0


def test_weights_are_shares_of_the_stages_that_were_asked() -> None:
    grade = graded([10, 35, 25, 30], stage1="passed", stage2="wrong")
    assert list(grade.stages) == ["stage1", "stage2"]
    assert grade.stages["stage1"].out_of == pytest.approx(OUT_OF * 35 / 60, abs=0.005)
    assert grade.points == pytest.approx(OUT_OF * 35 / 60, abs=0.005)


def test_stages_stand_in_the_order_of_the_exercise() -> None:
    assert list(graded([1, 1, 1], stage2="wrong", contract="passed").stages) == [
        "contract",
        "stage2",
    ]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(WEIGHTS, st.integers(1, 7)), min_size=1, max_size=4))
def test_all_passed_is_exactly_25_and_none_passed_exactly_0(
    stages: list[tuple[float, int]],
) -> None:
    weights = [weight for weight, _ in stages]
    asked = {name: count for name, (_, count) in zip(NAMES, stages, strict=False)}
    assert graded(weights, **{n: "passed " * count for n, count in asked.items()}).points == 25
    assert graded(weights, **{n: "wrong " * count for n, count in asked.items()}).points == 0


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_one_more_pass_never_costs_points(data: st.DataObject) -> None:
    weights = data.draw(st.lists(WEIGHTS, min_size=4, max_size=4))
    words = st.sampled_from(["passed", "wrong", "raised", "timed_out", "not_attempted"])
    failed = data.draw(st.lists(st.tuples(st.sampled_from(NAMES), words), min_size=1, max_size=20))
    verdicts = [verdict(stage, status) for stage, status in failed]  # type: ignore[arg-type]
    one = data.draw(st.integers(0, len(verdicts) - 1))
    better = list(verdicts)
    better[one] = replace(better[one], status="passed", outcome=Returned(None, 0.0))
    before = score(exercise(*weights), "e", "s", verdicts, []).points
    after = score(exercise(*weights), "e", "s", better, []).points
    assert before is not None
    assert after is not None
    assert 0 <= before <= after <= OUT_OF


def test_what_was_not_attempted_is_told_apart_from_what_is_wrong() -> None:
    grade = graded([1, 1], contract="passed", stage1="wrong not_attempted not_attempted passed")
    stage = grade.stages["stage1"]
    assert (stage.passed, stage.asked, stage.not_attempted) == (1, 4, 2)
    assert grade.answered == 3
    assert len(grade.verdicts) == 5
    assert grade.points == pytest.approx(OUT_OF * (1 + 1 / 4) / 2, abs=0.01)


def test_a_fault_of_the_graders_leaves_no_total() -> None:
    grade = graded([1, 1], contract="passed", stage1="passed grader_fault")
    assert grade.points is None
    assert grade.stages["contract"].points == 12.5
    assert grade.answered == 2


def test_a_grade_says_whose_it_is_and_where_it_came_from() -> None:
    grade = score(exercise(1), "mine", "process", [verdict("contract", "passed")], ["NOTE"])
    assert (grade.exercise, grade.engine, grade.sandbox, grade.notes) == (
        "tiny",
        "mine",
        "process",
        ("NOTE",),
    )
