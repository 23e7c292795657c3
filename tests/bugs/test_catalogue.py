"""Every bug is an exact edit that leaves an engine, and says what it is."""

from pathlib import Path

import pytest

from grader.bugs import Bug, BugError, apply, base_source, catalogue
from grader.kit.worker import load, load_driver
from grader.project import FIXTURES, read_exercise

EXERCISES = ("tiny", "tensor")
STAGES = {exercise: read_exercise(exercise).with_every_twist().stages for exercise in EXERCISES}
DRIVERS = {"tiny": None, "tensor": load_driver(str(FIXTURES / "tensor" / "driver.py"))}

each_bug = pytest.mark.parametrize(
    ("exercise", "bug"),
    [
        pytest.param(exercise, bug, id=f"{exercise}-{bug.id}")
        for exercise in EXERCISES
        for bug in catalogue(exercise).values()
    ],
)


@each_bug
def test_it_applies_exactly_once_and_leaves_an_engine(
    exercise: str, bug: Bug, tmp_path: Path
) -> None:
    source = apply([bug], base_source(exercise))
    file = tmp_path / f"{exercise}.py"
    file.write_text(source, encoding="utf-8")
    engine, problem = load(str(file), stands_alone=True, driver=DRIVERS[exercise])
    assert engine is not None, problem
    assert source != base_source(exercise)


@each_bug
def test_it_says_what_it_is_in_a_sentence_each(exercise: str, bug: Bug) -> None:
    assert bug.stage in STAGES[exercise]
    assert bug.kind
    for text in (bug.cause, bug.hint):
        assert 20 <= len(text) <= 130
        assert text.endswith((".", "?"))
        assert "\n" not in text
    assert bug.report == "" or bug.report.startswith("https://")
    assert bug.cause != bug.hint


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_two_bugs_are_the_same_edit(exercise: str) -> None:
    bugs = catalogue(exercise)
    edited = {apply([bug], base_source(exercise)): bug.id for bug in bugs.values()}
    assert len(edited) == len(bugs)


def test_an_edit_that_does_not_fit_says_which_and_how_often() -> None:
    bug = Bug("x", "k", "stage1", "shape", "no such text", "", "c", "h")
    with pytest.raises(BugError, match=r"x: its text stands 0 times in shape, not once"):
        apply([bug], base_source("tiny"))
    with pytest.raises(BugError, match="no function nowhere"):
        apply([Bug("x", "k", "stage1", "nowhere", "a", "b", "c", "h")], base_source("tiny"))


CLASSES = """
def size(): return 1

class Box:
    def size(self): return 1
    def twice(self): return 1 + 1

class Bag:
    def size(self): return 1
"""


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("size", "def size(): return 7"),
        ("Box.size", "class Box:\n    def size(self): return 7"),
        ("Bag.size", "class Bag:\n    def size(self): return 7"),
        ("Bag", "class Bag:\n    def size(self): return 7"),
    ],
)
def test_a_name_with_a_dot_is_that_of_a_method(function: str, line: str) -> None:
    edited = apply([Bug("x", "k", "stage1", function, "return 1", "return 7", "c", "h")], CLASSES)
    assert edited.count("return 7") == 1
    assert line in edited


@pytest.mark.parametrize("function", ["twice", "Box.nowhere", "Nowhere.size", "size.size"])
def test_a_method_is_found_in_its_own_class_only(function: str) -> None:
    with pytest.raises(BugError, match=f"x: the engine has no function {function}"):
        apply([Bug("x", "k", "stage1", function, "1", "7", "c", "h")], CLASSES)
