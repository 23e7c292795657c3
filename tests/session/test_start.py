"""A candidate's loop is `pytest -k stage1` again and again: it loads what it needs and no more."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from grader.files import write_tree
from tests.session.kits import kit

HEAVY = {"torch", "numpy", "hypothesis", "rich", "jinja2", "matplotlib", "click", "xdist"}
OURS = {
    "grader",
    "grader.kit",
    *(f"grader.kit.{name}" for name in ("case", "compare", "deadline", "engine", "judge")),
    *(f"grader.kit.{name}" for name in ("plugin", "render", "repeat", "resident")),
    *(f"grader.kit.{name}" for name in ("strict_yaml", "worker")),
}
KITS_OWN = {"grader", "candidate", "test_example", "_engine"}
FOR_DEEP_PROGRAMS = {"grader.kit.depth", "grader.kit.growth"}
LISTING = "import sys, pytest; pytest.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


def modules(folder: Path, *arguments: str) -> frozenset[str]:
    """All of a run of pytest, by their full names."""
    command = [sys.executable, "-c", LISTING, *arguments, "-q"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "passed" in ran.stdout or "no tests" in ran.stdout
    return frozenset(ran.stderr.split())


@cache
def imported(folder: Path, stage: str) -> frozenset[str]:
    """In a fresh kit of the tiny exercise."""
    write_tree(folder, kit("tiny", 1))
    return modules(folder, "-k", stage)


def tops(names: frozenset[str]) -> set[str]:
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kit")


def test_nothing_heavy_is_imported(folder: Path) -> None:
    assert not HEAVY & tops(imported(folder, "stage1"))


def test_beyond_what_pytest_imports_anyway_there_is_only_yaml(folder: Path, tmp_path: Path) -> None:
    nothing_to_do = modules(tmp_path, "--disable-plugin-autoload", "-p", "pytest_timeout")
    more = tops(imported(folder, "stage1")) - tops(nothing_to_do)
    assert {name for name in more if "cython" not in name} == {"yaml", *KITS_OWN}


def test_of_the_kit_only_what_a_shallow_program_needs(folder: Path) -> None:
    ours = {name for name in imported(folder, "stage1") if name.split(".")[0] == "grader"}
    assert ours == OURS


def test_how_deep_programs_are_judged_is_loaded_with_them(folder: Path) -> None:
    ours = {name for name in imported(folder, "stage3") if name.split(".")[0] == "grader"}
    assert ours == OURS | FOR_DEEP_PROGRAMS
