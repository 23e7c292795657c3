"""Where bugs and cases stand: kinds together in the order of the stages, the plainest first."""

from dataclasses import replace

from grader.bugs import Bug
from grader.bugs.matrix import Matrix
from grader.report.matrix_layout import Group, how_of, in_words, layout
from tests.cases import case


def bug(name: str, kind: str, stage: str) -> Bug:
    return Bug(name, kind, stage, "f", "x", "y", "cause", "hint")


CASES = [
    replace(case(), name=name, stage=stage)
    for name, stage in (("a", "contract"), ("b", "stage1"), ("c", "stage1"))
]
BUGS = {
    each.id: each
    for each in (
        bug("few", "late", "stage1"),
        bug("early", "first", "contract"),
        bug("many", "late", "stage1"),
    )
}
FAILURES = {"few": {"b": "wrong 1"}, "early": {"a": "raised X"}, "many": {"b": "x", "c": "y"}}
MADE = layout(Matrix("tiny", "", ("a", "b", "c"), FAILURES, {}), BUGS, CASES)


def test_rows_are_grouped_by_kind_and_columns_by_stage() -> None:
    assert [each.id for each in MADE.bugs] == ["early", "many", "few"]
    assert MADE.kinds == (Group("first", 0, 1), Group("late", 1, 3))
    assert MADE.stages == (Group("contract", 0, 1), Group("stage1", 1, 3))


def test_every_failure_has_its_place() -> None:
    assert MADE.failures == (
        (0, 0, "raised X"),
        (1, 1, "x"),
        (1, 2, "y"),
        (2, 1, "wrong 1"),
    )


def test_a_kind_stands_where_most_of_its_bugs_belong() -> None:
    mixed = [("p", "mixed", "contract"), ("q", "mixed", "stage1"), ("r", "plain", "contract")]
    bugs = {name: bug(name, kind, stage) for name, kind, stage in mixed}
    made = layout(Matrix("tiny", "", ("a",), {name: {} for name in bugs}, {}), bugs, CASES)
    assert [kind.name for kind in made.kinds] == ["plain", "mixed"]


def test_wrong_answers_stand_together_in_words() -> None:
    failed = {"a": "wrong 12", "b": "raised KeyError", "c": "wrong 34", "d": "timed_out"}
    assert in_words(failed) == {
        "wrong": ["a", "c"],
        "raised KeyError": ["b"],
        "timed out": ["d"],
    }
    assert in_words({}) == {}


def test_a_failure_has_the_colour_of_its_first_word() -> None:
    assert [how_of(how) for how in ("wrong 12", "raised KeyError", "timed_out", "unsteady")] == [
        "wrong",
        "raised",
        "timed_out",
        "other",
    ]
