"""The kept matrix: what it says is so, everything is caught, and no two bugs look alike."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from grader.bugs import Bug, catalogue, matrix
from grader.bugs.matrix import (
    UNSTEADY,
    Matrix,
    MatrixError,
    as_text,
    is_stale,
    measured,
    read_matrix,
    signature,
    suite,
)
from grader.bugs.pairs import told_apart_by, twins
from grader.kit.case import Case
from grader.kit.engine import Died, Outcome, Raised, Returned, TimedOut
from grader.kit.judge import judge
from tests.cases import case

EXERCISES = ("tiny", "tensor")
SAMPLE = 5
QUICK = 1.0  # seconds of a case's limit: deep programs are left to the measurement itself

# What no case of the suite shows, and why.
UNSEEN = {
    "tiny": {
        "negative-zero": "the judge counts -0.0 as 0.0",
        "nan-passes": "how large an error that is NaN is said to be, right engines do not agree on",
    },
    "tensor": {},
}
ALIKE: dict[str, list[set[str]]] = {
    "tiny": [],
    # Both accept what is to be refused, and no case looks at what it then is.
    "tensor": [{"integers-may-require-gradients", "integers-made-floats"}],
}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_it_was_measured_with_these_bugs_and_cases(exercise: str) -> None:
    kept = read_matrix(exercise)
    assert not is_stale(kept), f"python -m grader.bugs.matrix {exercise}"
    assert list(kept.failures) == list(catalogue(exercise))


@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_sample_measured_again_says_the_same(exercise: str, share: int) -> None:
    kept = read_matrix(exercise)
    steady = [bug for bug in catalogue(exercise).values() if bug.id not in kept.wavering()]
    for bug in Random(f"{exercise} {share}").sample(steady, SAMPLE):  # noqa: S311
        known = kept.failures[bug.id]
        # Whether a program ends within its time depends on the machine.
        cases = [
            c
            for c in suite(exercise)
            if c.seconds <= QUICK and not c.is_scenario and known.get(c.name) != "timed_out"
        ]
        again = measured(exercise, [bug], cases, jobs=1, repeats=0)
        found = {name: how for name, how in again.failures[bug.id].items() if how != "timed_out"}
        names = {each.name for each in cases}
        assert found == {name: how for name, how in known.items() if name in names}, bug.id


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_bug_is_caught_by_some_case(exercise: str) -> None:
    unseen = {bug for bug, failed in read_matrix(exercise).failures.items() if not failed}
    assert unseen == set(UNSEEN[exercise])


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_case_fails_for_some_bug(exercise: str) -> None:
    kept = read_matrix(exercise)
    assert [name for name in kept.cases if not kept.catching(name)] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_guard_catches_what_it_says(exercise: str) -> None:
    kept = read_matrix(exercise)
    for guarding in suite(exercise):
        for bug in guarding.guards:
            assert guarding.name in kept.failures[bug], (guarding.name, bug)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_two_bugs_are_told_apart(exercise: str) -> None:
    kept = read_matrix(exercise)
    assert [set(group) for group in twins(kept)] == ALIKE[exercise]


def test_what_is_not_the_same_each_time_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        {"a": "wrong 1", "b": "wrong 2", "c": "raised KeyError"},
        {"a": "wrong 1", "b": "wrong 3", "c": "raised KeyError"},
        {"a": "wrong 1", "b": "wrong 2"},
    ]
    asked = []

    def failing(bug: Bug, exercise: str, cases: list[Case], *_: object) -> dict[str, str]:
        asked.append([each.name for each in cases])
        return found[len(asked) - 1]

    monkeypatch.setattr(matrix, "_failing", failing)
    bug = catalogue("tiny")["tanh-from-input"]
    cases = [replace(case(), name=name) for name in "abcd"]
    made = measured("tiny", [bug], cases, jobs=1, repeats=2)
    assert made.failures == {bug.id: {"a": "wrong 1", "b": UNSTEADY}}
    assert made.unsteady == {bug.id: ("c",)}
    assert made.wavering() == [bug.id]
    assert asked == [["a", "b", "c", "d"], ["a", "b", "c"], ["a", "b", "c"]]


def test_bugs_are_told_apart_by_who_fails_and_how() -> None:
    failures = {
        "a": {"x": "wrong 1", "y": "timed_out"},
        "b": {"x": "wrong 1", "y": "timed_out"},
        "c": {"x": "wrong 2", "y": "timed_out"},
        "d": {"x": "unsteady"},
        "e": {},
        "f": {},
    }
    made = Matrix("tiny", "", ("x", "y"), failures, {})
    assert twins(made) == [["a", "b"]]
    assert told_apart_by(made, "a", "b") == []
    assert told_apart_by(made, "a", "c") == ["x"]
    assert told_apart_by(made, "a", "d") == ["y"]
    assert told_apart_by(made, "a", "e") == ["x", "y"]
    assert made.catching("y") == ["a", "b", "c"]
    assert made.wavering() == ["d"]


# --- how a case fails ----------------------------------------------------------------------------


def signed(outcome: Outcome) -> str:
    return signature(judge(case(), outcome))


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Raised("KeyError", "'x'", (), 0.1), "raised KeyError"),
        (TimedOut(1.0), "timed_out"),
        (Died("it was ended", 0.1), "crashed"),
    ],
)
def test_a_signature_is_how_it_failed(outcome: Outcome, expected: str) -> None:
    assert signed(outcome) == expected


def test_what_came_back_tells_two_wrong_answers_apart() -> None:
    wrong = signed(Returned({"value": [[2.0]]}, 0.1))
    assert re.fullmatch("wrong [0-9a-f]{8}", wrong)
    assert signed(Returned({"value": [[2.0]]}, 0.2)) == wrong
    assert signed(Returned({"value": [[2.0 + 1e-15]]}, 0.1)) == wrong
    for other in ({"value": [[2.00000001]]}, {"value": [[2]]}, {"value": [2.0]}, {"value": None}):
        assert signed(Returned(other, 0.1)) != wrong


# --- the file ------------------------------------------------------------------------------------

SMALL = Matrix(
    "tiny", "0123", ("x", "y"), {"a": {"x": "wrong 1", "y": "timed_out"}, "b": {}}, {"b": ("x",)}
)


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(matrix, "HERE", tmp_path)
    monkeypatch.setattr(matrix, "read_matrix", matrix.read_matrix.__wrapped__)
    return tmp_path / "tiny.matrix.json"


def test_what_is_written_is_read_again(file: Path) -> None:
    file.write_text(as_text(SMALL), encoding="utf-8")
    assert matrix.read_matrix("tiny") == SMALL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ("{}", "cannot be read"),
        (as_text(SMALL).replace('"version": 1', '"version": 2'), "is of version 2, not 1"),
        (as_text(SMALL).replace("[0, 1, 1, 0]", "[0, 1, 1]"), "cannot be read"),
        (as_text(SMALL).replace("[0, 1, 1, 0]", "[7, 1]"), "cannot be read"),
    ],
)
def test_a_file_that_is_none_says_how_to_get_one(text: str, why: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(MatrixError) as caught:
        matrix.read_matrix("tiny")
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert why in said
    assert said.endswith("write it with python -m grader.bugs.matrix tiny")
    assert "\n" not in said


def test_a_missing_file_says_how_to_get_one(file: Path) -> None:
    with pytest.raises(MatrixError, match=r"is not there; write it with python -m grader\.bugs"):
        matrix.read_matrix("tiny")


def test_the_file_has_a_line_a_bug() -> None:
    text = as_text(SMALL)
    assert json.loads(text)["failures"] == {"a": [0, 1, 1, 0], "b": []}
    assert text.count("\n") == 8
