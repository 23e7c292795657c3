"""From verdicts to what the hand-in's failures are consistent with, or to nothing."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass

from grader.bugs import BugError, catalogue
from grader.bugs.matrix import read_matrix
from grader.bugs.trial import Trial
from grader.diagnosis.confirm import Bench, Fit
from grader.diagnosis.evidence import evidence_in, is_alike
from grader.diagnosis.search import guesses
from grader.kit.engine import driver_of
from grader.kit.judge import Verdict
from grader.project import FIXTURES

MOST_TRIED = 24
LEAST_FIT = 0.85
MOST_ALTERNATIVES = 3
MOST_LEFT = 12  # cases that a further bug is tried on first


@dataclass(frozen=True, slots=True)
class Suspect:
    """A bug of the set: how many of the failing cases it is behind, and how many fail as here."""

    bug: str
    cause: str
    explained: int
    cases: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The set that fits best; `fit` is 1 where an engine with it does just what the hand-in does.

    `explained` of `failing` cases fail in the very same way. `alternatives` are other sets that fit
    as well. `confirmed` says whether engines were run, or the matrix alone was asked.
    """

    suspects: tuple[Suspect, ...]
    fit: float
    explained: int
    failing: int
    alternatives: tuple[tuple[str, ...], ...]
    confirmed: bool


def diagnose(exercise: str, verdicts: Iterable[Verdict]) -> Diagnosis | None:
    """None where nothing failed, or nothing known explains enough. Raises MatrixError."""
    matrix = read_matrix(exercise)
    evidence = evidence_in(verdicts, matrix)
    if not evidence.failed:
        return None
    with ExitStack() as stack:
        # The grader's own process has no torch in it, and is not to load it.
        can_run = driver_of(exercise, FIXTURES) is None
        trial = stack.enter_context(Trial(exercise)) if can_run else None
        bench = Bench(evidence, matrix, trial)
        fits = _fits(bench)
        if not fits:
            return None
        best = _without_idle(_with_more(fits[0], bench), bench)
    if best.measure < LEAST_FIT:
        return None
    others = [
        fit.bugs
        for fit in fits
        if set(fit.bugs) != set(best.bugs)
        and len(fit.bugs) == len(best.bugs)
        and fit.measure == best.measure
    ]
    return _told(best, others[:MOST_ALTERNATIVES], bench)


def _fits(bench: Bench) -> list[Fit]:
    """The likeliest sets, tried out: the best fit first, of equal ones the smallest."""
    likeliest = guesses(bench.evidence, bench.matrix)[:MOST_TRIED]
    fits = [fit for guess in likeliest if (fit := bench.fit(guess.bugs)) is not None]
    return sorted(fits, key=lambda fit: (-fit.measure, len(fit.bugs)))  # stable: likeliest first


def _with_more(fit: Fit, bench: Bench) -> Fit:
    """With bugs that explain what is left over: others may hide them wherever they would show."""
    failed = bench.evidence.failed
    pointed_at = [
        bug
        for bug, failures in bench.matrix.failures.items()
        if any(is_alike(failed[case], how) for case, how in failures.items() if case in failed)
    ]
    while fit.otherwise:
        left = sorted(fit.otherwise)[:MOST_LEFT]
        grown = [
            more
            for bug in pointed_at
            if bug not in fit.bugs
            and _explains(bug, fit, left, bench)
            and (more := bench.fit((*fit.bugs, bug))) is not None
        ]
        best = max(grown, key=lambda more: more.measure, default=fit)
        if best.measure <= fit.measure:
            return fit
        fit = best
    return fit


def _explains(bug: str, fit: Fit, left: list[str], bench: Bench) -> bool:
    """Whether one of these cases would fail as it does: cheaper to ask than for all of them."""
    try:
        return any(
            is_alike(bench.evidence.failed[name], bench.expected((*fit.bugs, bug), name))
            for name in left
        )
    except BugError:
        return False


def _without_idle(fit: Fit, bench: Bench) -> Fit:
    """Without bugs that change nothing: they are not there, or nobody could tell."""
    for bug in fit.bugs[::-1]:
        rest = tuple(other for other in fit.bugs if other != bug)
        fewer = bench.fit(rest) if rest else None
        if fewer is not None and fewer.measure >= fit.measure:
            fit = fewer
    return fit


def _told(fit: Fit, others: list[tuple[str, ...]], bench: Bench) -> Diagnosis:
    evidence, matrix = bench.evidence, bench.matrix
    suspects = []
    for bug in fit.bugs:
        cases = evidence.failed.keys() & matrix.failures[bug].keys()
        explained = len(cases & fit.explained)
        cause = catalogue(matrix.exercise)[bug].cause
        suspects.append(Suspect(bug, cause, explained, len(cases)))
    return Diagnosis(
        tuple(sorted(suspects, key=lambda suspect: (-suspect.cases, suspect.bug))),
        fit.measure,
        len(fit.explained),
        len(evidence.failed),
        tuple(tuple(sorted(other)) for other in others),
        bench.trial is not None,
    )
