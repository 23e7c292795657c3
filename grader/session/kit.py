"""The folder a candidate gets, as paths and contents; nothing in it says what an answer would."""

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from grader.bugs import Bug, apply
from grader.bugs.starter import source_without_follow_ups
from grader.bugs.trial import Trial
from grader.kit.case import read_cases
from grader.project import FIXTURES, ROOT, Exercise
from grader.report.template import plain
from grader.session.record import Start
from grader.session.renumber import renumbered

GUARDS = re.compile(r"^  guards: \[[^\]]*\]\n", re.MULTILINE)
PACKAGE = Path(__file__).resolve().parents[1]
# What a kit's engine needs, by the module's name.
REQUIRED = {"torch": "torch==2.13.0"}
TEXTS = ("README.md", "pyproject.toml", "gitignore", "gitattributes")
HAND_OUT = {"gitignore": ".gitignore", "gitattributes": ".gitattributes"}

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Order:
    """What a kit is to be made from; two equal orders make the same kit, byte for byte."""

    exercise: Exercise
    seed: int
    start: Start
    minutes: int
    bugs: tuple[Bug, ...]
    has_twist: bool


def kit_files(order: Order) -> Files:
    """Every file of the kit, by its path with forward slashes, in the order of the paths.

    Raises FixtureError, BugError, MatrixError.
    """
    files = {
        f"candidate/{order.exercise.name}.py": engine_source(order).encode(),
        **_texts(order),
        **_plugin(),
        **_fixtures(order),
    }
    return dict(sorted(files.items()))


def engine_source(order: Order) -> str:
    """The engine that the candidate starts from."""
    name = order.exercise.name
    if order.start == "skeleton":
        return (ROOT / "candidate" / f"{name}.py").read_text(encoding="utf-8")
    return apply(list(order.bugs), source_without_follow_ups(name))


def digests(files: Files) -> dict[str, str]:
    return {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def _texts(order: Order) -> Files:
    """What is written for the kit: how to install it, what to do, an example of a test."""
    given = {
        "order": order,
        "exercise": order.exercise,
        "requires": [REQUIRED[need] for need in order.exercise.needs],
        "pytest_settings": _pytest_settings(),
    }
    files = {}
    for name in TEXTS:
        made = plain(_template(f"{name}.j2"), **given)
        files[HAND_OUT.get(name, name)] = made.encode()
    example = _template(f"test_example_{order.exercise.name}.py.txt")
    return {**files, "tests/test_example.py": example.encode()}


def _template(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _pytest_settings() -> list[str]:
    """Those of this project, line by line, but for where the tests are."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    table = {key: value for key, value in table.items() if key != "markers"}
    table |= {"testpaths": ["fixtures", "tests"], "pythonpath": ["."]}
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def _plugin() -> Files:
    """What runs the cases: the one package of this project that a candidate has."""
    version = (PACKAGE / "__init__.py").read_bytes()
    kit = {
        f"grader/kit/{file.name}": file.read_bytes()
        for file in sorted((PACKAGE / "kit").glob("*.py"))
    }
    return {"grader/__init__.py": version, **kit}


def _fixtures(order: Order) -> Files:
    """Visible cases, without what says which bug they are there for, and the driver."""
    name = order.exercise.name
    home = FIXTURES / name
    files = {}
    with Trial(name) as trial:
        for file in sorted(home.glob("visible/*/*")):
            if file.suffix == ".yaml":
                text = renumbered(file, read_cases(file), order.bugs, order.seed, trial)
                content = GUARDS.sub("", text).encode()
            elif file.suffix == ".py":
                content = file.read_bytes()
            else:
                continue
            files[f"fixtures/{name}/{file.relative_to(home).as_posix()}"] = content
    if (home / "driver.py").exists():
        files[f"fixtures/{name}/driver.py"] = (home / "driver.py").read_bytes()
    return files
