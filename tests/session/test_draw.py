"""Drawn bugs: fair together, of several kinds and difficulties, the same for the same seed."""

from collections import Counter
from itertools import islice

import pytest

from grader.bugs import catalogue
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.trial import PASSED, Trial, fits
from grader.session.draw import (
    RULES,
    SLOTS,
    STAGE,
    always,
    candidates,
    draw,
    drawable,
    seem_fair,
    unfairness,
)

EXERCISES = ("tiny", "tensor")
MANY = range(500)
SHARES = 4


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_same_seed_draws_the_same(exercise: str) -> None:
    assert draw(exercise, 3) == draw(exercise, 3)


def test_a_seed_draws_the_same_for_ever() -> None:
    """Kits that were handed out must be made again after an update."""
    drawn = [bug.id for bug in draw("tiny", 7) if bug.stage == STAGE]
    assert drawn == PINNED


PINNED = [
    "tanh-applied-twice",
    "sub-second-sign",
    "unused-input-missing",
    "copy-is-not-a-copy",
    "matmul-with-itself",
]


@pytest.mark.parametrize("share", range(SHARES))
def test_every_drawn_bug_shows_in_the_engine_with_all_of_them(share: int) -> None:
    """Mending it alone makes a visible case pass that failed, whatever else is wrong."""
    visible = [
        case
        for case in suite("tiny")
        if case.visibility == "visible" and case.stage in ("contract", STAGE)
    ]
    for seed in range(share, 12, SHARES):
        bugs = draw("tiny", seed)
        with Trial("tiny") as trial:
            together = {case.name: trial.how(bugs, case) for case in visible}
            assert all(together[c.name] == PASSED for c in visible if c.stage == "contract")
            failing = [case for case in visible if together[case.name] != PASSED]
            for bug in bugs:
                rest = [other for other in bugs if other != bug]
                mends = any(trial.how(rest, case) == PASSED for case in failing)
                assert mends == (bug.stage == STAGE), (seed, bug.id)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_five_hundred_draws_fit_and_hide_nothing(exercise: str) -> None:
    sets = set()
    for seed in MANY:
        bugs = next(candidates(exercise, seed))
        assert fits(exercise, bugs)
        assert seem_fair(exercise, bugs)
        sets.add(bugs)
    assert len(sets) > 0.8 * len(MANY)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_kinds_are_mixed_and_every_bug_is_drawn_some_time(exercise: str) -> None:
    times: Counter[str] = Counter()
    for seed in MANY:
        drawn = [bug for bug in next(candidates(exercise, seed)) if bug.stage == STAGE]
        assert len(drawn) >= len(SLOTS) - 1
        kinds = Counter(bug.kind for bug in drawn)
        assert len(kinds) >= len(drawn) - 1
        assert all(number == 1 for kind, number in kinds.items() if kind != RULES)
        times.update(bug.id for bug in drawn)
    seldom = [bug.id for bug in drawable(exercise) if times[bug.id] < 1]
    assert len(seldom) <= len(drawable(exercise)) // 8, seldom
    assert max(times.values()) < 3 * sum(times.values()) / len(drawable(exercise))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_nothing_drawable_touches_the_contract_or_is_hidden_from_the_candidate(
    exercise: str,
) -> None:
    failures = read_matrix(exercise).failures
    contract = {case.name for case in suite(exercise) if case.stage == "contract"}
    visible = {case.name for case in suite(exercise) if case.visibility == "visible"}
    assert len(drawable(exercise)) >= 15
    for bug in drawable(exercise):
        assert bug.stage == STAGE
        assert not contract & failures[bug.id].keys()
        assert visible & failures[bug.id].keys()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_later_stages_are_unfinished_in_every_kit(exercise: str) -> None:
    assert {"stage2", "stage3"} <= {bug.stage for bug in always(exercise)}
    for seed in (1, 2):
        assert set(always(exercise)) < set(draw(exercise, seed))


@pytest.mark.parametrize(
    ("names", "why"),
    [
        # The second one's cases all fail by the first already, and go on failing without it.
        (["leaves-counted-twice", "overwrite-shared-input"], "makes no case pass|is hidden"),
        (["numbers-as-text"], "the contract's case .* fails"),
    ],
)
def test_what_is_unfair_is_found(names: list[str], why: str) -> None:
    bugs = tuple(catalogue("tiny")[name] for name in names)
    with Trial("tiny") as trial:
        told = unfairness(bugs, trial)
    assert told
    assert any(word in told for word in ("makes no case pass", "is hidden", "fails")), (told, why)


def test_candidates_do_not_end_early() -> None:
    assert len(list(islice(candidates("tiny", 1), 3))) == 3
