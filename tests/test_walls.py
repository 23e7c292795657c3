"""The three walls: what may import what, read from the source."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.project import ROOT

STANDARD = sys.stdlib_module_names
KIT = sorted((ROOT / "grader/kit").rglob("*.py"))
ENGINES = sorted([*ROOT.glob("reference/*.py"), *ROOT.glob("candidate/*.py")])
PROJECT = ("grader", "reference", "candidate", "tests", "conftest")


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide what is imported"
            assert node.module is not None
            yield node.module


def top(module: str) -> str:
    return module.partition(".")[0]


@pytest.mark.parametrize("path", KIT, ids=lambda path: path.name)
def test_the_kit_imports_only_the_standard_library_yaml_pytest_and_itself(path: Path) -> None:
    for module in imported(path):
        is_own = module == "grader.kit" or module.startswith("grader.kit.")
        assert is_own or top(module) in {*STANDARD, "yaml", "pytest"}, module


def test_the_worker_imports_only_the_standard_library() -> None:
    assert {top(module) for module in imported(ROOT / "grader/kit/worker.py")} <= STANDARD


@pytest.mark.parametrize("path", ENGINES, ids=lambda path: "/".join(path.parts[-2:]))
def test_engines_import_nothing_of_the_project(path: Path) -> None:
    assert {top(module) for module in imported(path)}.isdisjoint(PROJECT)


def test_nothing_imports_an_engine_as_a_module() -> None:
    attacks = ROOT / "grader" / "selftest" / "attacks"  # they have marks in them, and try to
    for path in set((ROOT / "grader").rglob("*.py")) - set(attacks.glob("*.py")):
        assert {top(module) for module in imported(path)}.isdisjoint({"reference", "candidate"})


@pytest.mark.parametrize("path", KIT, ids=lambda path: path.name)
def test_what_is_expected_is_named_nowhere_in_the_worker_and_judged_nowhere_else(
    path: Path,
) -> None:
    """The worker's own file must not even speak of expectations; only the judge decides."""
    source = path.read_text(encoding="utf-8")
    if path.name == "worker.py":
        assert "expects" not in source
        assert "Returns" not in source
    if path.name not in {"judge.py", "compare.py"}:
        assert "differences_between(" not in source
