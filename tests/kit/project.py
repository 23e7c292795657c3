"""A small project to run pytest in: fixtures, a candidate, and the settings of the real one."""

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from grader.project import ROOT
from tests.miniatures import DRIVEN, DRIVER, ECHO, KEEPING

RIGHT = "returns: {value: [[1.0, 2.0]]}"
WRONG = "returns: {value: [[1.0, 3.0]]}"


def entry(name: str, end: str = RIGHT, **fields: str) -> str:
    """A case of a fixture file: the value of x, [[1.0, 2.0]], unless told otherwise."""
    lines = {
        "why": "tests need cases",
        "op": "value",
        "inputs": "{x: [[1.0, 2.0]]}",
        "steps": "[]",
        "output": "x",
        **fields,
    }
    return "\n  ".join([f"- case: {name}", *(f"{k}: {v}" for k, v in lines.items()), end]) + "\n\n"


@dataclass(frozen=True)
class Run:
    """What came of running pytest: `said` is all that it wrote."""

    code: int
    said: str

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()

    @property
    def summary(self) -> list[str]:
        """The lines about failures and errors at the end."""
        return [line for line in self.lines if line.startswith(("FAILED ", "ERROR "))]


@dataclass(frozen=True)
class Project:
    root: Path

    def fixture(self, text: str, where: str = "visible/stage1/x.yaml") -> str:
        """Write a fixture file; gives the path that pytest knows it by."""
        return self.file(f"fixtures/tiny/{where}", text)

    def engine(self, source: str, folder: str = "candidate") -> Path:
        self.file(f"{folder}/tiny.py", source)
        return self.root / folder

    def file(self, name: str, text: str) -> str:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return name

    def pytest(self, *options: str, typed: str = "", below: str = "") -> Run:
        """Run `pytest` in the project, or in a folder below it, with something typed."""
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=self.root / below,
            env=clean_environment(),
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Run(ended.returncode, ended.stdout)


def clean_environment() -> dict[str, str]:
    """Without what the pytest around this one has set, and on a terminal with long lines.

    So long that nothing is ever cut: where a line is cut must not depend on how long the path
    of a temporary folder is. On a CI service pytest cuts nothing either.
    """
    outside = ("PYTEST", "COV_", "PYTHON", "BUILD_NUMBER", "CI")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(outside)}
    return {**kept, "COLUMNS": "1000", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def small_project(root: Path) -> Project:
    """Two stages and a hidden file, of each a case that passes and one that fails."""
    project = Project(root)
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    settings = [f"{key} = {json.dumps(value)}\n" for key, value in table.items()]
    project.file("pyproject.toml", "[tool.pytest]\n" + "".join(settings))
    project.engine(ECHO)
    for where in ("visible/stage1", "visible/stage2", "hidden/stage1"):
        visibility = where.partition("/")[0]
        text = entry(f"{visibility}_right") + entry(f"{visibility}_wrong", WRONG)
        project.fixture(text, f"{where}/x.yaml")
    return project


PLAYED = """\
- case: keeps_a_little
  why: a scenario drives the hand-in itself
  scenario: keeping
  given: {mib: 1, times: 2}
  memory: 24
  returns: {kept: 2}

- case: keeps_too_much
  why: what it keeps is seen
  scenario: keeping
  given: {mib: 32, times: 2}
  memory: 24
  returns: {kept: 2}
  seconds: 10

- case: adds_up_wrongly
  why: what it returns is compared
  scenario: adding
  given: {x: 1, y: 2}
  returns: {total: [[4.0]]}
"""


def driven_project(root: Path) -> Project:
    """Another exercise beside the first: with a driver, scenarios, a program, and a twist."""
    project = small_project(root)
    project.file("fixtures/driven/driver.py", DRIVER)
    project.file("candidate/driven.py", DRIVEN)
    for where in ("visible/stage1", "twists/more"):
        project.file(f"fixtures/driven/{where}/kept.yaml", PLAYED)
        project.file(f"fixtures/driven/{where}/kept.py", KEEPING)
    programs = entry("adds_up", "returns: {value: [[3.0]]}", inputs="{x: 1, y: 2}")
    project.file("fixtures/driven/visible/stage2/sums.yaml", programs)
    return project
