"""Sets of bugs that could be behind some failures, by the matrix alone: the likeliest first."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.bugs.matrix import UNSTEADY, Matrix
from grader.diagnosis.evidence import TIMED_OUT, Evidence, is_alike

WIDTH = 16  # sets that are kept of each size
MOST_BUGS = 8
MOST_SUSPECTS = 60
# What a failing case adds to a set: explained as it is by the only bug for it, failing for several,
# so that how it fails is not known, or failing for one that alone would make it fail otherwise.
ALIKE, SEVERAL, OTHERWISE = 1.0, 0.9, 0.25
CONTRADICTION = 0.6  # a case passes that should fail: bugs can hide one another, but seldom do
A_BUG = 0.5


@dataclass(frozen=True, slots=True)
class Guess:
    """A set of bugs in the order they were added; `score` compares it with other sets."""

    bugs: tuple[str, ...]
    score: float


def guesses(evidence: Evidence, matrix: Matrix) -> list[Guess]:
    """Grown bug by bug from nothing, a few of each size kept. Bounded by counts, not by time."""
    suspects = suspects_in(evidence, matrix)
    kept = [Guess((), 0.0)]
    found: dict[frozenset[str], Guess] = {}
    for _ in range(MOST_BUGS):
        grown: dict[frozenset[str], Guess] = {}
        for guess in kept:
            for bug in suspects:
                key = frozenset((*guess.bugs, bug))
                if bug not in guess.bugs and key not in grown:
                    bugs = (*guess.bugs, bug)
                    grown[key] = Guess(bugs, score(bugs, evidence, matrix.failures))
        best = sorted(grown.values(), key=_rank)[:WIDTH]
        if not best or (kept[0].bugs and best[0].score <= kept[0].score - 2 * A_BUG):
            break
        found |= {frozenset(guess.bugs): guess for guess in best}
        kept = best
    return sorted(found.values(), key=_rank)


def _rank(guess: Guess) -> tuple[float, int, tuple[str, ...]]:
    return -guess.score, len(guess.bugs), tuple(sorted(guess.bugs))


def suspects_in(evidence: Evidence, matrix: Matrix) -> list[str]:
    """Bugs for which more speaks than against them."""
    worth = {}
    for bug, failures in matrix.failures.items():
        speaking = sum(
            ALIKE if is_alike(evidence.failed[case], how) else OTHERWISE
            for case, how in failures.items()
            if case in evidence.failed
        )
        against = sum(_contradicts(evidence, case, how) for case, how in failures.items())
        if speaking > CONTRADICTION * against:
            worth[bug] = speaking - CONTRADICTION * against
    return sorted(worth, key=lambda bug: (-worth[bug], bug))[:MOST_SUSPECTS]


def score(
    bugs: tuple[str, ...], evidence: Evidence, failures: Mapping[str, Mapping[str, str]]
) -> float:
    """What the set explains, less what it says wrongly and what it costs to believe in it."""
    hows: dict[str, list[str]] = {}
    for bug in bugs:
        for case, how in failures[bug].items():
            hows.setdefault(case, []).append(how)
    total = -A_BUG * len(bugs)
    for case, expected in hows.items():
        seen = evidence.failed.get(case)
        if seen is None:
            total -= CONTRADICTION * _contradicts(evidence, case, expected[0])
        elif len(expected) > 1:
            total += SEVERAL
        else:
            total += ALIKE if is_alike(seen, expected[0]) else OTHERWISE
    return total


def _contradicts(evidence: Evidence, case: str, how: str) -> bool:
    """Whether a case that a bug fails speaks against it: it passes, and that is no luck."""
    return case in evidence.passed and how not in (TIMED_OUT, UNSTEADY)
