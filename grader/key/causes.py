"""Which case fails because of which bug, in an engine that has several of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from grader.bugs import Bug, BugError
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.trial import PASSED, Trial, is_quick
from grader.kit.case import Case
from grader.project import read_exercise


@dataclass(frozen=True, slots=True)
class Meeting:
    """A case that says something else of several bugs than of each by itself.

    Without `alone`, it fails with all of `bugs` and passes with any one of them. Otherwise each bug
    in `alone` makes it fail by itself, and it passes with `bugs`, which has them all.
    """

    case: str
    alone: tuple[str, ...]
    bugs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Causes:
    """What each case says about the bugs of an engine.

    alone     by a case's name, the bugs each of which makes it fail by itself, if there is one
    together  cases that fail only because several bugs meet
    hidden    cases that some bug makes fail by itself, and that pass with all of them
    """

    alone: dict[str, tuple[str, ...]]
    together: tuple[Meeting, ...]
    hidden: tuple[Meeting, ...]

    def only(self, bug: str) -> list[str]:
        """The cases that fail because of this bug and no other."""
        return [name for name, causes in self.alone.items() if causes == (bug,)]

    def of(self, bug: str) -> list[str]:
        return [name for name, causes in self.alone.items() if bug in causes]

    def shared(self, one: str, other: str) -> list[str]:
        """The cases that either bug makes fail."""
        return [n for n, causes in self.alone.items() if one in causes and other in causes]


def asked(exercise: str) -> list[Case]:
    """The cases of the exercise's own stages; those of new requirements are not among them."""
    stages = read_exercise(exercise).order
    return [case for case in suite(exercise) if case.stage in stages]


def causes_in(bugs: Iterable[Bug], trial: Trial) -> Causes:
    """From the matrix, and for quick cases from the engine with all of them.

    Deep programs would take all of their time in it: of these the matrix alone is asked.

    Raises MatrixError, and BugError where the bugs make no engine together.
    """
    bugs = list(bugs)
    matrix = read_matrix(trial.exercise)
    wavering = {name for bug in bugs for name in matrix.unsteady.get(bug.id, ())}
    alone: dict[str, tuple[str, ...]] = {}
    together, hidden = [], []
    for case in asked(trial.exercise):
        causes = [bug for bug in bugs if case.name in matrix.failures[bug.id]]
        names = tuple(bug.id for bug in causes)
        is_tried = is_quick(case) and case.name not in wavering
        passes = is_tried and trial.how(bugs, case) == PASSED
        if passes and causes:
            hidden.append(Meeting(case.name, names, _fewest(bugs, causes, case, trial)))
        elif causes:
            alone[case.name] = names
        elif is_tried and not passes:
            together.append(Meeting(case.name, (), _fewest(bugs, causes, case, trial)))
    return Causes(alone, tuple(together), tuple(hidden))


def _fewest(bugs: list[Bug], causes: list[Bug], case: Case, trial: Trial) -> tuple[str, ...]:
    """The fewest bugs, all causes among them, with which the case does as it does with all."""
    for some in _from_few_to_all(bugs, causes):
        try:
            passes = trial.how(some, case) == PASSED
        except BugError:  # these alone are no engine, or one that does not end
            continue
        if passes == bool(causes):
            return tuple(bug.id for bug in some)
    return tuple(bug.id for bug in bugs)


def _from_few_to_all(bugs: list[Bug], causes: list[Bug]) -> Iterator[list[Bug]]:
    """Sets of at least two that hold all causes, in the order of `bugs`."""
    others = [bug for bug in bugs if bug not in causes]
    for number in range(len(others) + 1):
        if len(causes) + number > 1:
            for chosen in combinations(others, number):
                yield [bug for bug in bugs if bug in causes or bug in chosen]


def order_of(bugs: Iterable[Bug], causes: Causes, stages: list[str]) -> list[Bug]:
    """Stage by stage; in a stage, what fails the most cases first, as it hides the most."""
    return sorted(bugs, key=lambda bug: (stages.index(bug.stage), -len(causes.of(bug.id)), bug.id))
