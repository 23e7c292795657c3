"""Making the engine with a set of bugs: those that meet do what none of them does alone."""

from dataclasses import dataclass

from grader.bugs import BugError, catalogue
from grader.bugs.matrix import UNSTEADY, Matrix, suite
from grader.bugs.trial import PASSED, Trial, is_quick
from grader.diagnosis.evidence import TIMED_OUT, Evidence, is_alike


@dataclass(frozen=True, slots=True)
class Fit:
    """How an engine with these bugs compares with the hand-in.

    explained  failing cases that fail in the same way
    otherwise  failing cases that fail in another way, or pass
    against    passing cases that fail
    """

    bugs: tuple[str, ...]
    explained: frozenset[str]
    otherwise: frozenset[str]
    against: frozenset[str]

    @property
    def measure(self) -> float:
        """1 where the engine is just like the hand-in, 0 where nothing is."""
        all_of_them = len(self.explained) + len(self.otherwise) + len(self.against)
        return len(self.explained) / all_of_them if all_of_them else 0.0


class Bench:
    """Where sets of bugs are compared with a hand-in. Without `trial` only the matrix is asked."""

    def __init__(self, evidence: Evidence, matrix: Matrix, trial: Trial | None) -> None:
        self.evidence = evidence
        self.matrix = matrix
        self.trial = trial
        self.runnable = {c.name: c for c in suite(matrix.exercise) if trial and is_quick(c)}
        self.names = [n for n in matrix.cases if n in evidence.failed or n in evidence.passed]

    def fit(self, bugs: tuple[str, ...]) -> Fit | None:
        """None where the bugs' edits do not go together."""
        explained, otherwise, against = set(), set(), set()
        try:
            for name in self.names:
                seen, expected = self.evidence.failed.get(name, PASSED), self.expected(bugs, name)
                if seen == PASSED:
                    if expected not in (PASSED, TIMED_OUT, UNSTEADY):
                        against.add(name)
                elif expected != PASSED and is_alike(seen, expected):
                    explained.add(name)
                else:
                    otherwise.add(name)
        except BugError:
            return None
        return Fit(bugs, frozenset(explained), frozenset(otherwise), frozenset(against))

    def expected(self, bugs: tuple[str, ...], name: str) -> str:
        """How the case ends with these bugs. Raises BugError.

        The matrix has it where one bug alone fails the case, or none, and the hand-in does as it
        says. Otherwise the engine is made and run, if it can be.
        """
        failures = self.matrix.failures
        hows = [failures[bug][name] for bug in bugs if name in failures[bug]]
        if len(hows) <= 1:
            alone = hows[0] if hows else PASSED
            if alone == self.evidence.failed.get(name, PASSED):
                return alone
        if self.trial is not None and name in self.runnable and TIMED_OUT not in hows:
            made = [catalogue(self.matrix.exercise)[bug] for bug in bugs]
            return self.trial.how(made, self.runnable[name])
        # Several: that it fails is known, and not how.
        return hows[0] if len(hows) == 1 else TIMED_OUT if hows else PASSED
