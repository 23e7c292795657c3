"""A kit: the same for the same seed, other numbers for another, and everything that it needs."""

import ast
import tomllib

import pytest

from grader.bugs import apply
from grader.bugs.starter import source_without_follow_ups
from grader.project import FIXTURES, ROOT
from grader.session.kit import GUARDS, Files, digests, kit_files
from grader.session.record import Start
from tests.session.kits import KITS, kit, order

each_kit = pytest.mark.parametrize(("exercise", "seed", "start"), KITS)


def text(files: Files, path: str) -> str:
    return files[path].decode("utf-8")


@each_kit
def test_it_has_what_a_candidate_needs(exercise: str, seed: int, start: Start) -> None:
    files = kit(exercise, seed, start)
    wanted = {
        "README.md",
        "pyproject.toml",
        ".gitignore",
        ".gitattributes",
        f"candidate/{exercise}.py",
        "tests/test_example.py",
        "grader/__init__.py",
        "grader/kit/plugin.py",
    }
    assert wanted <= files.keys()
    tops = {path.split("/")[0] for path in files}
    assert tops == {path.split("/")[0] for path in wanted} | {"fixtures"}
    visible = sorted(
        f"fixtures/{exercise}/{file.relative_to(FIXTURES / exercise).as_posix()}"
        for file in (FIXTURES / exercise / "visible").rglob("*.*")
        if file.suffix in {".yaml", ".py"}
    )
    driver = [f"fixtures/{exercise}/driver.py"] if exercise == "tensor" else []
    assert [path for path in files if path.startswith("fixtures/")] == [*driver, *visible]


@each_kit
def test_the_same_seed_makes_the_same_bytes(exercise: str, seed: int, start: Start) -> None:
    assert kit_files(order(exercise, seed, start)) == kit(exercise, seed, start)


def test_another_seed_makes_another_engine_and_other_numbers() -> None:
    one, other = kit("tiny", 1), kit("tiny", 2)
    assert one.keys() == other.keys()
    changed = {path for path in one if one[path] != other[path]}
    assert "candidate/tiny.py" in changed
    cases = {path for path in changed if path.startswith("fixtures/")}
    assert len(cases) >= 10
    assert changed == cases | {"candidate/tiny.py"}


def test_the_engine_is_the_correct_one_with_the_drawn_bugs() -> None:
    made = order("tiny", 1)
    source = apply(list(made.bugs), source_without_follow_ups("tiny"))
    assert text(kit("tiny", 1), "candidate/tiny.py") == source


def test_the_skeleton_is_the_projects_own() -> None:
    skeleton = (ROOT / "candidate" / "tensor.py").read_bytes()
    assert kit("tensor", 1, "skeleton")["candidate/tensor.py"] == skeleton


@each_kit
def test_no_case_says_which_bug_it_is_there_for(exercise: str, seed: int, start: Start) -> None:
    files = kit(exercise, seed, start)
    assert not [path for path in files if path.startswith("fixtures/") and b"guards" in files[path]]
    assert GUARDS.search("  guards: [a, b]\n")


@each_kit
def test_its_settings_are_this_projects(exercise: str, seed: int, start: Start) -> None:
    settings = tomllib.loads(text(kit(exercise, seed, start), "pyproject.toml"))
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["pytest"]["addopts"] == ours["tool"]["pytest"]["addopts"]
    needed = settings["project"]["dependencies"]
    assert [need for need in needed if need.startswith("torch")] == (
        ["torch==2.13.0"] if exercise == "tensor" else []
    )


@each_kit
def test_its_python_files_are_whole(exercise: str, seed: int, start: Start) -> None:
    for path, content in kit(exercise, seed, start).items():
        assert b"\r" not in content
        if path.endswith(".py"):
            ast.parse(content)


def test_the_readme_speaks_of_a_new_requirement_only_where_one_comes() -> None:
    with_one = text(kit_files(order("tensor", 1, "skeleton")), "README.md")
    without = text(kit_files(order("tensor", 1, "skeleton", has_twist=False)), "README.md")
    assert "you will be given a new requirement" in with_one
    assert "new requirement" not in without


def test_digests_are_of_every_file() -> None:
    files = {"a": b"", "b": b"x"}
    assert digests(files)["a"].startswith("e3b0c44298fc1c14")
    assert digests(files).keys() == files.keys()
