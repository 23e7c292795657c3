"""Ladders are climbed side by side, and nobody is asked for more than its budget allows."""

from collections.abc import Callable

import pytest

from grader.bench.measure import (
    LADDER,
    Ask,
    Climb,
    Held,
    Stopped,
    climbed,
    ladder_of,
    ratio,
)


def taking(seconds: Callable[[int], float]) -> Ask:
    return lambda _workload, size: seconds(size)


def test_engines_take_turns_and_none_always_comes_after_the_same() -> None:
    asked: list[tuple[str, int]] = []

    def named(name: str) -> Ask:
        def ask(_workload: str, size: int) -> float:
            asked.append((name, size))
            return 0.001

        return ask

    climbed("chain", {name: named(name) for name in "abc"}, [3], rounds=2)
    assert asked == [("a", 3), ("b", 3), ("c", 3), ("c", 3), ("b", 3), ("a", 3)]


def test_every_lap_and_every_round_is_told() -> None:
    laps: list[tuple[str, int]] = []
    rounds = []
    asks = {"a": taking(lambda _: 0.1), "b": taking(lambda _: 9.0)}
    climbed(
        *("chain", asks, [3, 10], 2, 1.0),
        lambda engine, size: laps.append((engine, size)),
        lambda: rounds.append(1),
    )
    assert laps == [("a", 3), ("b", 3), ("b", 3), ("a", 3), ("a", 10), ("a", 10)]
    assert len(rounds) == 4


def test_who_spends_the_budget_climbs_no_further_and_the_others_do() -> None:
    asks = {"fast": taking(lambda _: 0.01), "slow": taking(lambda size: size / 10)}
    fast, slow = climbed("chain", asks, [3, 10, 30, 100], budget=1.0)
    assert fast.sizes == [3, 10, 30, 100]
    assert fast.stopped == ""
    assert slow.sizes == [3, 10, 30]
    assert slow.stopped == "after 30: a run took 3.0 s, more than the 1 s it may"


def test_at_the_top_of_the_ladder_there_is_nothing_to_stop() -> None:
    (climb,) = climbed("chain", {"slow": taking(lambda size: size / 10)}, [3, 30], budget=1.0)
    assert climb.sizes == [3, 30]
    assert climb.stopped == ""


def test_who_fails_is_not_asked_again_and_has_no_laps_there() -> None:
    asked: list[int] = []

    def ask(_workload: str, size: int) -> float | Stopped:
        asked.append(size)
        return Stopped("RecursionError") if size == 10 else 0.01

    (climb,) = climbed("chain", {"deep": ask}, [3, 10, 30], rounds=3)
    assert asked == [3, 3, 3, 10]
    assert climb.sizes == [3]
    assert climb.stopped == "at 10: RecursionError"


def test_numbers_of_a_climb() -> None:
    climb = Climb("a", "residual", {10: (1.0, 2.0, 4.0), 30: (6.0, 6.0, 6.0)})
    assert climb.median(10) == 2.0
    assert climb.spread(10) == pytest.approx(0.75)
    assert climb.spread(30) == 0.0
    assert climb.microseconds_a_step(10) == pytest.approx(2e6 / 30)
    assert climb.fit is None
    assert climb.shape == "too few sizes"


def test_bytes_are_those_of_each_operation_beyond_what_a_process_has_anyway() -> None:
    base = 50_000_000
    held = (Held(1_000, base + 300_000), Held(10_000, base + 3_000_000))
    assert Climb("a", "residual", {}, held=held).bytes_a_step == pytest.approx(100)
    assert Climb("a", "residual", {}).bytes_a_step is None
    too_little = (Held(1_000, base), Held(10_000, base + 4_096))
    assert Climb("a", "residual", {}, held=too_little).bytes_a_step is None


def test_a_ratio_is_that_of_each_round() -> None:
    """The second round was ten times slower, for both."""
    ours = Climb("a", "chain", {10: (1.0, 12.0, 1.1)})
    theirs = Climb("b", "chain", {10: (2.0, 20.0, 2.0)})
    found = ratio(ours, theirs, 10)
    assert found is not None
    assert (found.least, found.median, found.most) == pytest.approx((0.5, 0.55, 0.6))
    assert str(found) == "0.55 (0.50 to 0.60)"
    assert ratio(ours, theirs, 30) is None


def test_a_ratio_has_as_many_digits_as_are_of_use() -> None:
    ours, theirs = (Climb(name, "chain", {3: (t,)}) for name, t in (("a", 1234.56), ("b", 10.0)))
    assert str(ratio(ours, theirs, 3)) == "123 (123 to 123)"
    assert str(ratio(theirs, ours, 3)) == "0.0081 (0.0081 to 0.0081)"


@pytest.mark.parametrize(
    ("workload", "deepest", "sizes"),
    [
        ("residual", 100_000, list(LADDER)),
        ("residual", 99, [3, 10, 30]),
        ("small", 100_000, [10, 30, 100, 300, 1_000]),
        ("small", 5, [5]),
    ],
)
def test_the_ladder_ends_where_it_is_told_to(workload: str, deepest: int, sizes: list[int]) -> None:
    assert ladder_of(workload, deepest) == sizes
