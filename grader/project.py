"""Where the project's own folders are, and what an exercise is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.guide import KEYS as GUIDE_KEYS
from grader.guide import Guide, guide_in
from grader.kit import strict_yaml
from grader.kit.case import FOLDERS, PLACES, Case, read_cases, suite_of
from grader.kit.strict_yaml import Document, FixtureError

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


class ProjectError(Exception):
    """Something that should be there is not; the text is one line."""


@dataclass(frozen=True, slots=True)
class Stage:
    """`weight` is the stage's share of correctness, before shares are made to add up to one."""

    name: str
    weight: float
    about: str


@dataclass(frozen=True)
class Exercise:
    """What fixtures/<exercise>/exercise.yaml says.

    operations       what a program of the exercise may use
    budget           seconds for the whole of a hand-in
    memory           MiB an engine may use
    needs            modules that an engine imports, beside the standard library's
    new_requirement  the weight of the stage that a twist adds
    """

    name: str
    title: str
    minutes: int
    stages: dict[str, Stage]
    operations: tuple[str, ...] = ()
    budget: float = 20.0
    memory: int = 1024
    needs: tuple[str, ...] = ()
    new_requirement: float = 10.0
    document: Document | None = field(default=None, repr=False, compare=False)

    @cached_property
    def guide(self) -> Guide:
        """The interviewer's, read when it is first asked for. Raises FixtureError."""
        if self.document is None:
            raise ProjectError(f"the exercise {self.name} was read from no file, it has no guide")
        return guide_in(self.document)

    def with_twist(self, twist: str) -> "Exercise":
        """The exercise with a stage for a new requirement. Raises ProjectError if there is none."""
        names = [each.name for each in self.guide.twists]
        if twist not in names:
            known = ", ".join(names) or "none"
            raise ProjectError(f"there is no twist {twist!r} of {self.name}; there is {known}")
        stage = Stage(twist, self.new_requirement, "the new requirement")
        return replace(self, stages={**self.stages, twist: stage})

    def with_every_twist(self) -> "Exercise":
        """For whoever holds the cases themselves to account."""
        exercise = self
        for twist in self.guide.twists:
            exercise = exercise.with_twist(twist.name)
        return exercise

    @cached_property
    def order(self) -> list[str]:
        return list(self.stages)


def read_exercise(name: str, fixtures: Path = FIXTURES) -> Exercise:
    """Raises ProjectError where there is no such exercise, FixtureError for a broken file."""
    known = sorted(file.parent.name for file in fixtures.glob("*/exercise.yaml"))
    if name not in known:
        if not known:
            raise ProjectError(
                f"{fixtures}: no fixtures here; install from a checkout, pip install -e ."
            )
        raise ProjectError(f"there is no exercise {name!r}; there is {', '.join(known)}")
    document = strict_yaml.read(fixtures / name / "exercise.yaml")
    settings = _settings(document)
    try:
        return Exercise(
            name=name,
            title=document.data["title"],
            minutes=document.data["minutes"],
            stages={
                stage: Stage(stage, _weight(told["weight"]), told["about"])
                for stage, told in document.data["stages"].items()
            },
            **settings,
            document=document,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise document.error(
            (), f"title, minutes and stages with weight and about: {error!r}"
        ) from None


def _settings(document: Document) -> dict[str, Any]:
    """What a file may leave out. Raises FixtureError for a value that cannot be, or another key."""
    told = document.data if isinstance(document.data, dict) else {}
    known = ("title", "minutes", "stages", *SETTINGS, *GUIDE_KEYS)
    for key, value in told.items():
        if key not in known:
            what = f"unknown key {key!r}; an exercise has {', '.join(known)}"
            raise document.error((key,), what)
        if key in SETTINGS and not SETTINGS[key](value):
            raise document.error((key,), f"{key} cannot be {value!r}")
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in told.items()
        if key in SETTINGS
    }


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_whole(value: object) -> bool:
    return _is_amount(value) and isinstance(value, int)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word for word in value)


SETTINGS: dict[str, Callable[[object], bool]] = {
    "operations": _are_words,
    "budget": _is_amount,
    "memory": _is_whole,
    "needs": _are_words,
    "new_requirement": _is_amount,
}


def _weight(told: float) -> float:
    if not float(told) > 0:
        raise ValueError(f"a weight must be above 0, not {told}")
    return float(told)


def fixture_files(exercise: str, folders: list[Path]) -> list[Path]:
    """Visible ones first, twists last. Raises ProjectError for a folder that has none."""
    files = []
    for folder in folders:
        found = [
            file
            for visibility in FOLDERS
            for file in sorted(folder.glob(f"{exercise}/{visibility}/*/*.yaml"))
        ]
        for file in sorted(folder.glob(f"{exercise}/**/*.y*ml")):
            if file not in found and file.name != "exercise.yaml":
                what = f"is in no place for cases, {PLACES}"
                raise ProjectError(f"{file}: {what}")
        if not found:
            raise ProjectError(f"{folder}: there are no cases for {exercise} in it, {PLACES}")
        files += found
    return files


def read_suite(exercise: Exercise, folders: list[Path] | None = None) -> list[Case]:
    """Every case, visible and hidden, in the order of the stages; names are unique over all.

    Those of twists that are no stage of the exercise are left out. Raises FixtureError with
    file:line.
    """
    files = [
        file
        for file in fixture_files(exercise.name, folders or [FIXTURES])
        if (suite := suite_of(file))
        and (suite.visibility != "twist" or suite.stage in exercise.stages)
    ]
    cases = [case for file in files for case in read_cases(file)]
    named: dict[str, Case] = {}
    for case in cases:
        if case.stage not in exercise.stages:
            what = f"there is no stage {case.stage}; there is {', '.join(exercise.stages)}"
            raise FixtureError(case.path, case.line, what)
        if case.name in named:
            twin = named[case.name]
            what = f"the name {case.name} is already used at {twin.path}:{twin.line}"
            raise FixtureError(case.path, case.line, what)
        named[case.name] = case
    return sorted(cases, key=lambda case: exercise.order.index(case.stage))
