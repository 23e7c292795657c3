"""A benchmark as a whole: who is compared with whom, where, and what is counted beside it."""

from collections.abc import Callable

import pytest

from grader.bench.benchmark import Benchmark, held, measured, rounds_of
from grader.bench.contestants import Contestant
from grader.bench.measure import Climb, Held, Stopped
from grader.kit.growth import Growth
from tests.report.benchmarks import SQUARE, benchmark


def paced(
    name: str, law: Callable[[int], float | Stopped], growth: Growth | None = None
) -> Contestant:
    return Contestant(
        name,
        f"{name}, the engine",
        lambda _workload, size: law(size),
        lambda _workload, _size: growth,
        lambda _workload, size: 1_000 * size,
    )


def small_benchmark(*contestants: Contestant) -> Benchmark:
    return measured("tiny", 2, list(contestants), {}, ("residual", "small"), 1_000, 2)


def test_every_engine_climbs_every_workload() -> None:
    found = small_benchmark(paced("a", lambda _: 0.01, SQUARE), paced("b", lambda _: 9.0))
    told = [(climb.workload, climb.engine, max(climb.sizes)) for climb in found.climbs]
    assert told == [
        ("residual", "a", 1_000),
        ("residual", "b", 3),
        ("small", "a", 1_000),
        ("small", "b", 10),
    ]
    assert found.workloads == ["residual", "small"]
    assert found.of("residual")[0].work is SQUARE
    assert found.titles == {"a": "a, the engine", "b": "b, the engine"}


def test_progress_is_told_for_every_round_there_could_be() -> None:
    laps, rounds = [], []
    measured(
        *("tiny", 2, [paced("a", lambda _: 9.0)], {}, ("residual", "chain"), 30, 4),
        lambda *lap: laps.append(lap),
        lambda: rounds.append(1),
    )
    assert laps == [("residual", "a", 3)] * 4 + [("chain", "a", 3)] * 4
    assert len(rounds) == rounds_of(("residual", "chain"), 30, 4) == 24


def test_memory_is_held_at_the_largest_size_and_a_tenth_of_it() -> None:
    engine = paced("a", lambda _: 0.01)
    reached = Climb("a", "residual", {1_000: (0.1,), 3_000: (0.1,)})
    assert held(engine, reached) == (Held(300, 300_000), Held(3_000, 3_000_000))


@pytest.mark.parametrize(
    "climb",
    [
        Climb("a", "residual", {}, "at 3: RecursionError"),
        Climb("a", "residual", {300: (0.1,)}),
        Climb("a", "small", {1_000: (0.1,)}),
    ],
)
def test_a_shallow_climb_tells_nothing_of_memory(climb: Climb) -> None:
    assert held(paced("a", lambda _: 0.01), climb) == ()


def test_torch_is_what_others_are_compared_with_or_else_the_first() -> None:
    assert benchmark().baseline == "torch"
    assert small_benchmark(paced("a", lambda _: 0.1), paced("b", lambda _: 0.1)).baseline == "a"


def test_engines_are_compared_in_the_middle_or_where_both_have_been() -> None:
    found = small_benchmark(
        paced("torch", lambda _: 0.01),
        paced("near", lambda _: 0.02),
        paced("early", lambda size: Stopped("RecursionError") if size > 30 else 0.03),
        paced("never", lambda _: Stopped("ValueError")),
    )
    torch, near, early, never = found.of("residual")
    assert found.middle("residual") == 1_000
    assert found.against(torch) is None
    assert found.against(never) is None
    for climb, expected in ((near, (1_000, "2.00")), (early, (30, "3.00"))):
        against = found.against(climb)
        assert against is not None
        assert (against[0], str(against[1]).split()[0]) == expected


def test_the_table_shows_a_small_a_middle_and_the_largest_size() -> None:
    assert benchmark().shown("residual") == [30, 1_000, 100_000]
    assert benchmark().shown("small") == [10, 100, 1_000]
    stopped = small_benchmark(paced("a", lambda _: Stopped("no")))
    assert stopped.shown("residual") == []
