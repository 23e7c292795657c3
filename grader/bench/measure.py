"""Climbs each workload's ladder of sizes, engine beside engine, until an engine's budget is spent.

Every round asks each engine for one lap, right after one another and in turning order, so that a
slow minute slows all of them; what is compared is compared within a round.
"""

import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from grader.bench.growing import Fit, fitted, shape_of
from grader.kit.growth import Growth

LADDER = (3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
LADDERS = {"small": (10, 30, 100, 300, 1_000)}
ROUNDS = 5
BUDGET = 1.0  # seconds of processor time for a run; who needs more climbs no further
MEASURABLE = 1 << 19  # bytes: allocators take memory in pieces
TITLES = {
    "residual": "Residual stack",
    "chain": "Long chain",
    "wide": "Wide graph",
    "small": "Many small requests",
}
UNITS = {"residual": "layers", "chain": "additions", "wide": "branches", "small": "requests"}
STEPS = {"residual": 3, "chain": 1, "wide": 3, "small": 9}  # of one layer, branch, request


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why an engine went no further, in words."""

    why: str


# Seconds of processor time for one run of a workload of that size.
Ask = Callable[[str, int], float | Stopped]


class Held(NamedTuple):
    """The most bytes that a new process held for one run of that size."""

    size: int
    peak: int


@dataclass(frozen=True, slots=True)
class Climb:
    """What one engine did on one workload: its laps at each size, and why it went no further.

    `held` is empty, or at two sizes.
    """

    engine: str
    workload: str
    laps: dict[int, tuple[float, ...]]
    stopped: str = ""
    work: Growth | None = None
    held: tuple[Held, ...] = ()

    def median(self, size: int) -> float:
        return statistics.median(self.laps[size])

    def spread(self, size: int) -> float:
        """Half of the way from the fastest lap to the slowest, as a share of the median."""
        laps = self.laps[size]
        return (max(laps) - min(laps)) / 2 / self.median(size)

    @property
    def sizes(self) -> list[int]:
        return sorted(self.laps)

    @property
    def fit(self) -> Fit | None:
        """The growth exponent of its time, from the deepest sizes; None where there are too few."""
        return fitted(self.laps)

    @property
    def shape(self) -> str:
        """How its time grows, in a word."""
        return shape_of(self.fit) if self.fit else "too few sizes"

    @property
    def bytes_a_step(self) -> float | None:
        """By how much the most memory held grows with each step; None where too little to tell."""
        if len(self.held) < 2:
            return None
        a, b = self.held
        if b.peak - a.peak < MEASURABLE:
            return None
        return (b.peak - a.peak) / (b.size - a.size) / STEPS[self.workload]

    def microseconds_a_step(self, size: int) -> float:
        return self.median(size) / size / STEPS[self.workload] * 1e6


def ladder_of(workload: str, deepest: int) -> list[int]:
    sizes = LADDERS.get(workload, LADDER)
    return [size for size in sizes if size <= deepest] or [deepest]


def climbed(
    workload: str,
    asks: dict[str, Ask],
    sizes: Iterable[int],
    rounds: int = ROUNDS,
    budget: float = BUDGET,
    on_lap: Callable[[str, int], None] = lambda _engine, _size: None,
    on_round: Callable[[], None] = lambda: None,
) -> list[Climb]:
    """One climb for each engine, in their order."""
    climbs = {name: Climb(name, workload, {}) for name in asks}
    sizes = list(sizes)
    for size in sizes:
        going = [name for name, climb in climbs.items() if not climb.stopped]
        found: dict[str, list[float]] = {name: [] for name in going}
        for turn in range(rounds):
            for name in _in_turn(going, turn):
                if climbs[name].stopped:
                    continue
                on_lap(name, size)
                lap = asks[name](workload, size)
                if isinstance(lap, Stopped):
                    climbs[name] = replace(climbs[name], stopped=f"at {size:,}: {lap.why}")
                else:
                    found[name].append(lap)
            on_round()
        for name in going:
            if not climbs[name].stopped:
                laps = {**climbs[name].laps, size: tuple(found[name])}
                climbs[name] = replace(climbs[name], laps=laps)
                if size != sizes[-1]:
                    climbs[name] = _within(climbs[name], size, budget)
    return list(climbs.values())


def _in_turn(names: list[str], turn: int) -> Iterator[str]:
    """Forwards, then backwards: nobody always comes after the same one."""
    return iter(names if turn % 2 == 0 else names[::-1])


def _within(climb: Climb, size: int, budget: float) -> Climb:
    """Stopped, if a run of that size took too long to try a larger one."""
    median = climb.median(size)
    if median <= budget:
        return climb
    why = f"after {size:,}: a run took {median:.1f} s, more than the {budget:g} s it may"
    return replace(climb, stopped=why)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times another's time, round by round."""

    median: float
    least: float
    most: float

    def __str__(self) -> str:
        median, least, most = map(_digits, (self.median, self.least, self.most))
        return f"{median} ({least} to {most})"


def _digits(number: float) -> str:
    """As many as there is any use for."""
    if number < 0.1:
        return f"{number:.2g}"
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f}"


def ratio(climb: Climb, other: Climb, size: int) -> Ratio | None:
    """None where either has no laps of that size."""
    if size not in climb.laps or size not in other.laps:
        return None
    pairs = zip(climb.laps[size], other.laps[size], strict=True)
    ratios = [ours / theirs for ours, theirs in pairs]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios))
