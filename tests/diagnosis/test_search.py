"""Sets that could be behind some failures: what they explain, less what they say wrongly."""

import pytest

from grader.bugs.matrix import Matrix
from grader.diagnosis.evidence import Evidence, evidence_in, is_alike
from grader.diagnosis.search import guesses, score, suspects_in
from grader.kit.engine import NotAttempted, Raised, Returned
from grader.kit.judge import judge
from tests.cases import case

CASES = ("p", "q", "r", "s", "t")
FAILURES = {
    "a": {"p": "wrong 1", "q": "wrong 2"},
    "b": {"r": "raised KeyError"},
    "c": {"p": "wrong 1", "q": "wrong 2", "s": "wrong 9"},
    "d": {"t": "timed_out"},
}
MATRIX = Matrix("tiny", "", CASES, FAILURES, {})


def seen(**failed: str) -> Evidence:
    return Evidence(failed, frozenset(CASES) - failed.keys(), 0)


@pytest.mark.parametrize(
    ("evidence", "best"),
    [
        (seen(p="wrong 1", q="wrong 2"), ("a",)),
        (seen(p="wrong 1", q="wrong 2", s="wrong 9"), ("c",)),
        (seen(p="wrong 1", q="wrong 2", r="raised KeyError"), ("a", "b")),
        (seen(r="raised KeyError"), ("b",)),
        (seen(t="timed_out"), ("d",)),
        (seen(t="raised RecursionError"), ("d",)),
    ],
)
def test_the_likeliest_set_comes_first(evidence: Evidence, best: tuple[str, ...]) -> None:
    assert tuple(sorted(guesses(evidence, MATRIX)[0].bugs)) == best


def test_what_passes_speaks_against_a_bug() -> None:
    evidence = seen(r="raised KeyError")
    assert suspects_in(evidence, MATRIX) == ["b"]
    assert score(("a",), evidence, FAILURES) < score(("b",), evidence, FAILURES)
    assert score(("a", "b"), evidence, FAILURES) < score(("b",), evidence, FAILURES)


def test_running_out_of_time_speaks_neither_for_nor_against() -> None:
    assert score(("d",), seen(), FAILURES) == -0.5
    assert is_alike("timed_out", "wrong 1")
    assert is_alike("wrong 1", "timed_out")
    assert not is_alike("wrong 1", "wrong 2")


def test_nothing_is_guessed_where_nothing_points_anywhere() -> None:
    assert guesses(Evidence({"elsewhere": "wrong 3"}, frozenset(CASES), 0), MATRIX) == []


def test_evidence_leaves_out_what_is_not_known_and_what_was_not_attempted() -> None:
    right, wrong = Returned({"value": [[1.0]]}, 0.1), Raised("KeyError", "x", (), 0.1)
    verdicts = [
        judge(case(name="p"), right),
        judge(case(name="q"), wrong),
        judge(case(name="r"), NotAttempted("late")),
        judge(case(name="generated"), wrong),
    ]
    found = evidence_in(verdicts, MATRIX)
    assert found.failed.keys() == {"q"}
    assert found.silent == 1
    assert "generated" not in found.passed | found.failed.keys()
