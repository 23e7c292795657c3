"""Exercises and their suites of cases; whatever is wrong with them is one line."""

from pathlib import Path

import pytest

from grader.kit.strict_yaml import FixtureError
from grader.project import FIXTURES, ProjectError, Stage, read_exercise, read_suite

EXERCISE = """\
title: Tiny
minutes: 55
stages:
  first:
    weight: 10
    about: values
  second: {weight: 2.5, about: gradients}
"""


def written_case(name: str) -> str:
    return f"""\
- case: {name}
  why: tests need cases
  op: value
  inputs: {{x: [[1]]}}
  steps: []
  output: x
  returns: {{value: [[1.0]]}}
"""


def put(folder: Path, path: str, text: str) -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    put(tmp_path, "tiny/exercise.yaml", EXERCISE)
    return tmp_path


# --- the exercise --------------------------------------------------------------------------------


def test_an_exercise_is_read_with_its_stages_in_order(fixtures: Path) -> None:
    exercise = read_exercise("tiny", fixtures)
    assert (exercise.name, exercise.title, exercise.minutes) == ("tiny", "Tiny", 55)
    assert list(exercise.stages.values()) == [
        Stage("first", 10.0, "values"),
        Stage("second", 2.5, "gradients"),
    ]
    assert exercise.order == ["first", "second"]


def test_what_an_exercise_leaves_out_is_as_the_product_has_it(fixtures: Path) -> None:
    exercise = read_exercise("tiny", fixtures)
    assert (exercise.budget, exercise.memory, exercise.new_requirement) == (20.0, 1024, 10.0)
    assert (exercise.operations, exercise.needs) == ((), ())


SETTINGS = """\
operations: [add, mul]
needs: [torch]
budget: 2.5
memory: 512
new_requirement: 7
"""


def test_an_exercise_says_what_it_may_cost_and_what_it_needs(fixtures: Path) -> None:
    put(fixtures, "tiny/exercise.yaml", EXERCISE + SETTINGS)
    exercise = read_exercise("tiny", fixtures)
    assert (exercise.budget, exercise.memory, exercise.new_requirement) == (2.5, 512, 7)
    assert (exercise.operations, exercise.needs) == (("add", "mul"), ("torch",))


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("budget: 2.5", "budget: 0", "budget cannot be 0"),
        ("budget: 2.5", "budget: true", "budget cannot be True"),
        ("budget: 2.5", "budget: much", "budget cannot be 'much'"),
        ("budget: 2.5", "budget:", "budget cannot be None"),
        ("memory: 512", "memory: -1", "memory cannot be -1"),
        ("memory: 512", "memory: 0.5", "memory cannot be 0.5"),
        ("memory: 512", "memory: [1]", "memory cannot be [1]"),
        ("new_requirement: 7", "new_requirement: 0", "new_requirement cannot be 0"),
        ("needs: [torch]", "needs: torch", "needs cannot be 'torch'"),
        ("needs: [torch]", "needs: [1]", "needs cannot be [1]"),
        ("needs: [torch]", "neads: [torch]", "unknown key 'neads'; an exercise has title, "),
        ("operations: [add, mul]", "operations: {add: 2}", "operations cannot be {'add': 2}"),
    ],
)
def test_a_setting_that_cannot_be_is_one_line_with_its_place(
    fixtures: Path, old: str, new: str, word: str
) -> None:
    text = EXERCISE + SETTINGS
    line = text[: text.index(old)].count("\n") + 1
    file = put(fixtures, "tiny/exercise.yaml", text.replace(old, new))
    with pytest.raises(FixtureError) as caught:
        read_exercise("tiny", fixtures)
    assert str(caught.value).startswith(f"{file}:{line}: {word}")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/exercise.yaml")), ids=str)
def test_the_exercises_of_the_project_can_be_read(path: Path) -> None:
    exercise = read_exercise(path.parent.name)
    assert all(stage.weight > 0 and stage.about for stage in exercise.stages.values())


@pytest.mark.parametrize(
    "name", ["nope", "", "..", "../elsewhere", "tiny/exercise.yaml", "tiny/../tiny", "./tiny"]
)
def test_an_exercise_that_there_is_not_is_told_beside_those_there_are(
    fixtures: Path, name: str
) -> None:
    put(fixtures, "other/exercise.yaml", EXERCISE)
    with pytest.raises(ProjectError) as caught:
        read_exercise(name, fixtures)
    assert str(caught.value) == f"there is no exercise {name!r}; there is other, tiny"


def test_without_fixtures_a_checkout_is_what_helps(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"no fixtures here; .*checkout") as caught:
        read_exercise("tiny", tmp_path)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("title: Tiny\n", "", 1),
        ("minutes: 55\n", "", 1),
        (EXERCISE, "", 1),
        (EXERCISE, "- title\n- minutes\n", 1),
        (EXERCISE, "title: Tiny\nminutes: 55\n", 1),
        (EXERCISE, "title: Tiny\nminutes: 55\nstages: [first]\n", 1),
        ("    weight: 10\n", "", 1),
        ("    about: values\n", "", 1),
        ("weight: 10", "weight: heavy", 1),
        ("weight: 10", "weight: [10]", 1),
        ("weight: 10", "weight: 010", 5),
        ("minutes: 55", "title: Twice", 2),
        ("  second: {", "  second: {{", 8),
    ],
)
def test_a_broken_exercise_is_one_line_with_its_place(
    fixtures: Path, old: str, new: str, line: int
) -> None:
    assert old in EXERCISE
    file = put(fixtures, "tiny/exercise.yaml", EXERCISE.replace(old, new))
    with pytest.raises(FixtureError) as caught:
        read_exercise("tiny", fixtures)
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("weight", ["0", "-1", "-0.5"])
def test_a_stage_must_weigh_something(fixtures: Path, weight: str) -> None:
    put(fixtures, "tiny/exercise.yaml", EXERCISE.replace("weight: 10", f"weight: {weight}"))
    with pytest.raises(FixtureError, match="weight"):
        read_exercise("tiny", fixtures)


# --- the suite -----------------------------------------------------------------------------------


def test_a_suite_is_every_case_in_the_order_of_the_stages(fixtures: Path, tmp_path: Path) -> None:
    put(fixtures, "tiny/visible/second/b.yaml", written_case("b1") + written_case("b2"))
    put(fixtures, "tiny/hidden/first/a.yaml", written_case("hidden_one"))
    put(fixtures, "tiny/visible/first/z.yaml", written_case("z"))
    put(fixtures, "tiny/visible/first/a.yaml", written_case("a"))
    put(fixtures, "other/visible/first/a.yaml", written_case("elsewhere"))
    more = tmp_path / "more"
    put(more, "tiny/visible/first/m.yaml", written_case("more"))
    suite = read_suite(read_exercise("tiny", fixtures), [fixtures, more])
    assert [case.name for case in suite] == ["a", "z", "hidden_one", "more", "b1", "b2"]
    assert [case.visibility for case in suite].count("hidden") == 1


def test_no_cases_at_all_is_an_error(fixtures: Path) -> None:
    with pytest.raises(ProjectError, match="no cases") as caught:
        read_suite(read_exercise("tiny", fixtures), [fixtures])
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("folders", [["."], [".", "more"]])
def test_a_name_is_used_once_over_all_files(fixtures: Path, folders: list[str]) -> None:
    one = put(fixtures, "tiny/visible/first/a.yaml", written_case("fine") + written_case("twice"))
    two = put(fixtures / folders[-1], "tiny/hidden/second/b.yaml", written_case("twice"))
    with pytest.raises(FixtureError) as caught:
        read_suite(read_exercise("tiny", fixtures), [fixtures / name for name in folders])
    assert str(caught.value) == f"{two}:1: the name twice is already used at {one}:8"


def test_a_stage_that_there_is_not_is_told_beside_those_there_are(fixtures: Path) -> None:
    put(fixtures, "tiny/visible/first/a.yaml", written_case("fine"))
    file = put(fixtures, "tiny/visible/third/a.yaml", written_case("lost"))
    with pytest.raises(FixtureError) as caught:
        read_suite(read_exercise("tiny", fixtures), [fixtures])
    assert str(caught.value) == f"{file}:1: there is no stage third; there is first, second"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (written_case("a") + written_case("b").replace("  op: value\n", ""), 8),
        (written_case("a").replace("op: value", "op: value\n  unknown: 1"), 4),
        (written_case("a").replace("x: [[1]]", "x: [[1]"), 4),
        (written_case("a").replace("[[1.0]]}", "[[1e999]]}"), 7),
        ("case: a\n", 1),
    ],
)
def test_a_broken_case_is_one_line_with_its_place(fixtures: Path, text: str, line: int) -> None:
    put(fixtures, "tiny/visible/first/a.yaml", written_case("fine"))
    file = put(fixtures, "tiny/hidden/first/broken.yaml", text)
    with pytest.raises(FixtureError) as caught:
        read_suite(read_exercise("tiny", fixtures), [fixtures])
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert str(caught.value).isprintable()


def test_a_folder_of_cases_that_is_not_there_is_an_error(fixtures: Path) -> None:
    """A misspelt folder must not pass for one without cases."""
    put(fixtures, "tiny/visible/first/a.yaml", written_case("fine"))
    with pytest.raises(ProjectError, match="misspelt"):
        read_suite(read_exercise("tiny", fixtures), [fixtures, fixtures / "misspelt"])
