"""Where the project's own folders are, and what an exercise is."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.kit import strict_yaml
from grader.kit.case import Case, read_cases
from grader.kit.strict_yaml import FixtureError

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
    """What fixtures/<exercise>/exercise.yaml says."""

    name: str
    title: str
    minutes: int
    stages: dict[str, Stage]

    @cached_property
    def order(self) -> list[str]:
        return list(self.stages)


def read_exercise(name: str, fixtures: Path = FIXTURES) -> Exercise:
    """Raises ProjectError where there is no such exercise, FixtureError for a broken file."""
    path = fixtures / name / "exercise.yaml"
    if not path.is_file():
        known = sorted(file.parent.name for file in fixtures.glob("*/exercise.yaml"))
        if not known:
            raise ProjectError(
                f"{fixtures}: no fixtures here; install from a checkout, pip install -e ."
            )
        raise ProjectError(f"there is no exercise {name!r}; there is {', '.join(known)}")
    document = strict_yaml.read(path)
    try:
        return Exercise(
            name=name,
            title=document.data["title"],
            minutes=document.data["minutes"],
            stages={
                stage: Stage(stage, _weight(told["weight"]), told["about"])
                for stage, told in document.data["stages"].items()
            },
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise document.error(
            (), f"title, minutes and stages with weight and about: {error!r}"
        ) from None


def _weight(told: float) -> float:
    if not float(told) > 0:
        raise ValueError(f"a weight must be above 0, not {told}")
    return float(told)


def fixture_files(exercise: str, folders: list[Path]) -> list[Path]:
    """Visible ones first. Raises ProjectError for a folder that has none."""
    files = []
    for folder in folders:
        found = [
            file
            for visibility in ("visible", "hidden")
            for file in sorted(folder.glob(f"{exercise}/{visibility}/*/*.yaml"))
        ]
        for file in sorted(folder.glob(f"{exercise}/**/*.y*ml")):
            if file not in found and file.name != "exercise.yaml":
                what = f"is in no place for cases, {exercise}/visible|hidden/<stage>/<topic>.yaml"
                raise ProjectError(f"{file}: {what}")
        if not found:
            wanted = f"{exercise}/visible|hidden/<stage>/<topic>.yaml"
            raise ProjectError(f"{folder}: there are no cases for {exercise} in it, {wanted}")
        files += found
    return files


def read_suite(exercise: Exercise, folders: list[Path] | None = None) -> list[Case]:
    """Every case, visible and hidden, in the order of the stages; names are unique over all.

    Raises FixtureError with file:line.
    """
    files = fixture_files(exercise.name, folders or [FIXTURES])
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
