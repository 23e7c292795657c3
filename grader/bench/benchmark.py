"""A benchmark as a whole: engines side by side on every workload, and what was found."""

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from grader.bench.contestants import Contestant
from grader.bench.measure import (
    BUDGET,
    ROUNDS,
    TITLES,
    Climb,
    Held,
    Ratio,
    climbed,
    ladder_of,
    ratio,
)

WORKLOADS = tuple(TITLES)
SHOWN = {"small": (10, 100, 1_000)}
SHOWN_ELSE = (30, 1_000, 100_000)
MIDDLE = 1_000  # the size at which engines are compared, or the nearest that all have


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`titles` says what an engine is, by its name; `absent` why one was not measured.

    `width` is how many numbers a row has, `budget` the seconds of processor time that a run may
    take before the next size is not tried, `started` an ISO date with its time zone.
    """

    exercise: str
    width: int
    rounds: int
    budget: float
    titles: dict[str, str]
    absent: dict[str, str]
    climbs: tuple[Climb, ...]
    python: str
    system: str
    cores: int
    started: str

    def of(self, workload: str) -> list[Climb]:
        return [climb for climb in self.climbs if climb.workload == workload]

    @property
    def workloads(self) -> list[str]:
        return list(dict.fromkeys(climb.workload for climb in self.climbs))

    @property
    def baseline(self) -> str:
        """Whom the others are compared with: torch, if it is there."""
        return "torch" if "torch" in self.titles else next(iter(self.titles))

    def shown(self, workload: str) -> list[int]:
        """A few sizes for a table: a small, a middle one, and the largest that anyone reached."""
        reached = {size for climb in self.of(workload) for size in climb.sizes}
        wanted = SHOWN.get(workload, SHOWN_ELSE)
        largest = {max(reached)} if reached else set()
        return sorted({size for size in wanted if size in reached} | largest)[-3:]

    def middle(self, workload: str) -> int | None:
        """The size at which engines are compared: of the baseline's the one nearest to MIDDLE."""
        return _nearest(MIDDLE, self._base(workload).sizes)

    def against(self, climb: Climb) -> tuple[int, Ratio] | None:
        """How many times the baseline's time it takes, at the size nearest to the middle one."""
        base = self._base(climb.workload)
        size = _nearest(MIDDLE, [size for size in climb.sizes if size in base.sizes])
        if size is None or climb is base:
            return None
        found = ratio(climb, base, size)
        return None if found is None else (size, found)

    def _base(self, workload: str) -> Climb:
        (base,) = (climb for climb in self.of(workload) if climb.engine == self.baseline)
        return base


def _nearest(wanted: int, sizes: list[int]) -> int | None:
    return min(sizes, key=lambda size: abs(size - wanted), default=None)


def measured(
    exercise: str,
    width: int,
    contestants: list[Contestant],
    absent: dict[str, str],
    workloads: Iterable[str] = WORKLOADS,
    deepest: int = 100_000,
    rounds: int = ROUNDS,
    on_lap: Callable[[str, str, int], None] = lambda _workload, _engine, _size: None,
    on_round: Callable[[], None] = lambda: None,
) -> Benchmark:
    started = datetime.now(UTC).isoformat(timespec="seconds")
    asks = {contestant.name: contestant.ask for contestant in contestants}
    climbs: list[Climb] = []
    for workload in workloads:
        sizes = ladder_of(workload, deepest)
        tell = partial(on_lap, workload)
        found = climbed(workload, asks, sizes, rounds, BUDGET, tell, on_round)
        for contestant, climb in zip(contestants, found, strict=True):
            work = contestant.growth(workload, sizes[-1])
            climbs.append(replace(climb, work=work, held=held(contestant, climb)))
    return Benchmark(
        exercise,
        width,
        rounds,
        BUDGET,
        {contestant.name: contestant.title for contestant in contestants},
        absent,
        tuple(climbs),
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
        os.cpu_count() or 1,
        started,
    )


def held(contestant: Contestant, climb: Climb) -> tuple[Held, ...]:
    """At the largest size reached and a tenth of it; empty for a shallow climb, which tells little.

    Each in a process of its own: none ever gives back what another size has made it take.
    """
    largest = max(climb.sizes, default=0)
    if climb.workload == "small" or largest < MIDDLE:
        return ()
    found = []
    for size in (largest // 10, largest):
        peak = contestant.peak(climb.workload, size)
        if peak is None:
            return ()
        found.append(Held(size, peak))
    return tuple(found)


def rounds_of(workloads: Iterable[str], deepest: int, rounds: int) -> int:
    """How often `on_round` is called."""
    return sum(len(ladder_of(workload, deepest)) * rounds for workload in workloads)
