"""Which case fails because of which bug, in an engine that has several of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.bugs import Bug
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.trial import PASSED, Trial
from grader.kit.case import Case

QUICK = 1.0  # seconds of a case's limit: in a kit's engine, deep programs take all of theirs


@dataclass(frozen=True, slots=True)
class Causes:
    """What each case says about the bugs of an engine, by the names of the cases.

    alone     the bugs each of which makes the case fail by itself, for cases of which there is one
    together  cases that fail only because several bugs meet
    hidden    cases that some bug makes fail by itself, and that pass with all of them
    """

    alone: dict[str, tuple[str, ...]]
    together: tuple[str, ...]
    hidden: dict[str, tuple[str, ...]]

    def only(self, bug: str) -> list[str]:
        """The cases that fail because of this bug and no other."""
        return [name for name, causes in self.alone.items() if causes == (bug,)]

    def of(self, bug: str) -> list[str]:
        return [name for name, causes in self.alone.items() if bug in causes]

    def shared(self, one: str, other: str) -> list[str]:
        """The cases that either bug makes fail."""
        return [n for n, causes in self.alone.items() if one in causes and other in causes]


def causes_in(bugs: Iterable[Bug], trial: Trial) -> Causes:
    """From the matrix, and for quick cases from the engine with all of them. Raises MatrixError."""
    bugs = list(bugs)
    failures = read_matrix(trial.exercise).failures
    alone: dict[str, tuple[str, ...]] = {}
    hidden: dict[str, tuple[str, ...]] = {}
    together = []
    for case in suite(trial.exercise):
        causes = tuple(bug.id for bug in bugs if case.name in failures[bug.id])
        passes = _is_quick(case) and trial.how(bugs, case) == PASSED
        if causes and not passes:
            alone[case.name] = causes
        elif causes:
            hidden[case.name] = causes
        elif _is_quick(case) and not passes:
            together.append(case.name)
    return Causes(alone, tuple(together), hidden)


def _is_quick(case: Case) -> bool:
    return case.seconds <= QUICK and not case.is_scenario and case.stage in QUICK_STAGES


QUICK_STAGES = ("contract", "stage1", "stage2")


def order_of(bugs: Iterable[Bug], causes: Causes, stages: list[str]) -> list[Bug]:
    """Stage by stage; in a stage, what fails the most cases first, as it hides the most."""
    return sorted(bugs, key=lambda bug: (stages.index(bug.stage), -len(causes.of(bug.id)), bug.id))
