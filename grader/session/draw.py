"""Which bugs a kit gets: drawn by its seed, of several kinds, some easy and some hard to find."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random

from grader.bugs import Bug, BugError, catalogue
from grader.bugs.difficulty import EASY, HARD, MIDDLING, difficulties
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.starter import STARTER
from grader.bugs.trial import PASSED, Trial, fits, is_quick
from grader.chance import one_of, seeded, shuffled
from grader.kit.case import Case

SLOTS = (EASY, EASY, MIDDLING, MIDDLING, HARD)
MOST_TRIES = 200
STAGE = "stage1"
RULES, MOST_RULES = "wrong local rule", 2


def draw(exercise: str, seed: int) -> tuple[Bug, ...]:
    """The drawn Stage 1 bugs, then those that every kit has: later stages' unfinished work.

    They are fair together: see `unfairness`. Raises MatrixError, BugError.
    """
    with Trial(exercise) as trial:
        for bugs in candidates(exercise, seed):
            with suppress(BugError):  # together they make a loop
                if not unfairness(bugs, trial):
                    return bugs
    raise BugError(f"no fair set of bugs was found for seed {seed} in {MOST_TRIES} tries")


def candidates(exercise: str, seed: int) -> Iterator[tuple[Bug, ...]]:
    """Sets that fit together and that the matrix alone calls fair, in the seed's order."""
    chance = seeded(exercise, seed, "bugs")
    for _ in range(MOST_TRIES):
        drawn = _one_a_slot(exercise, chance)
        bugs = (*drawn, *always(exercise))
        if len(drawn) >= len(SLOTS) - 1 and fits(exercise, bugs) and seem_fair(exercise, bugs):
            yield bugs


def always(exercise: str) -> tuple[Bug, ...]:
    """What is unfinished in every kit: the later stages are the same for all."""
    bugs = (catalogue(exercise)[bug_id] for bug_id in STARTER[exercise].bugs)
    return tuple(bug for bug in bugs if bug.stage not in (STAGE, "contract"))


@cache
def drawable(exercise: str) -> tuple[Bug, ...]:
    """Stage 1 bugs that a visible case shows, and that leave the contract as it must be."""
    kept, cases = read_matrix(exercise), suite(exercise)
    contract = {case.name for case in cases if case.stage == "contract"}
    visible = _visible(exercise)
    return tuple(
        bug
        for bug in catalogue(exercise).values()
        if bug.stage == STAGE
        and bug.id not in kept.unsteady
        and not contract & kept.failures[bug.id].keys()
        and visible & kept.failures[bug.id].keys()
        and fits(exercise, (bug, *always(exercise)))
    )


@cache
def _visible(exercise: str) -> frozenset[str]:
    """The Stage 1 cases that a candidate has."""
    cases = suite(exercise)
    return frozenset(c.name for c in cases if c.visibility == "visible" and c.stage == STAGE)


def _one_a_slot(exercise: str, chance: Random) -> tuple[Bug, ...]:
    """A bug for each slot; local rules may be wrong twice, any other kind is there once."""
    difficulty, taken = _difficulty(exercise), Counter[str]()
    chosen: list[Bug] = []
    for slot in shuffled(chance, SLOTS):
        left = [
            bug
            for bug in drawable(exercise)
            if difficulty[bug.id] == slot
            and bug not in chosen
            and taken[bug.kind] < (MOST_RULES if bug.kind == RULES else 1)
        ]
        if left:
            chosen.append(one_of(chance, left))
            taken[chosen[-1].kind] += 1
    return tuple(chosen)


@cache
def _difficulty(exercise: str) -> dict[str, int]:
    """Among those that can be drawn."""
    kept, names = read_matrix(exercise), {bug.id for bug in drawable(exercise)}
    failures = {bug: failed for bug, failed in kept.failures.items() if bug in names}
    return difficulties(replace(kept, failures=failures), set(_visible(exercise)))


def seem_fair(exercise: str, bugs: tuple[Bug, ...]) -> bool:
    """Whether each drawn bug alone fails a visible case that none of the others fails."""
    failures, visible = read_matrix(exercise).failures, _visible(exercise)
    for bug in bugs:
        others = set[str]().union(*(failures[other.id] for other in bugs if other != bug))
        if bug.stage == STAGE and not (visible & failures[bug.id].keys()) - others:
            return False
    return True


def unfairness(bugs: tuple[Bug, ...], trial: Trial) -> str:
    """Why a candidate could not be asked to find these bugs together; empty if they can.

    The engine is run with all of them: the contract must hold, no bug may hide another, and
    mending any one of them must make a visible case pass. Raises BugError where it does not end.
    """
    cases = [case for case in suite(trial.exercise) if _is_tried(case)]
    for case in cases:
        if case.stage == "contract" and trial.how(bugs, case) != PASSED:
            return f"the contract's case {case.name} fails"
    visible = [case for case in cases if case.stage == STAGE and case.visibility == "visible"]
    together = {case.name: trial.how(bugs, case) for case in visible}
    failures = read_matrix(trial.exercise).failures
    for bug in bugs:
        if bug.stage != STAGE:
            continue
        hidden = [c.name for c in visible if c.name in failures[bug.id]]
        if any(together[name] == PASSED for name in hidden):
            return f"{bug.id} is hidden by another"
        rest = [other for other in bugs if other != bug]
        if not any(
            together[case.name] != PASSED and trial.how(rest, case) == PASSED for case in visible
        ):
            return f"mending {bug.id} makes no case pass"
    return ""


def _is_tried(case: Case) -> bool:
    """What the drawn bugs are about, as far as it is quick."""
    return case.stage in ("contract", STAGE) and is_quick(case)
