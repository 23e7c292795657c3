"""Where things are in a log-log plot of time against size: numbers only, nothing is drawn here."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from grader.bench.measure import Climb
from grader.report.bench_words import duration

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 44
ROOM = 0.08  # of a decade, left free around the points


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A median at (x, y); its laps reach from `high` to `low`, which lies below on the page."""

    x: float
    y: float
    high: float
    low: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """One engine's; `place` is its number among all, `has_stopped` if it went no further."""

    engine: str
    place: int
    marks: tuple[Mark, ...]
    has_stopped: bool

    @property
    def path(self) -> str:
        return " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Plot:
    """In the units of a picture of WIDTH by HEIGHT."""

    sizes: tuple[Tick, ...]
    times: tuple[Tick, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic scale from least to most, between two places of the picture."""

    least: float
    most: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = math.log10(value / self.least) / math.log10(self.most / self.least)
        return self.start + share * (self.end - self.start)

    def decades(self) -> Iterator[float]:
        first, last = math.ceil(math.log10(self.least)), math.floor(math.log10(self.most))
        yield from (10.0**power for power in range(first, last + 1))


def plotted(climbs: list[Climb], engines: list[str]) -> Plot | None:
    """`engines` are all of the benchmark, so that each has the same place in every plot."""
    sizes = sorted({size for climb in climbs for size in climb.sizes})
    laps = [lap for climb in climbs for size in climb.sizes for lap in climb.laps[size]]
    if not laps:
        return None
    room = 10**ROOM
    across = Axis(sizes[0] / room, sizes[-1] * room, LEFT, WIDTH - RIGHT)
    up = Axis(min(laps) / room, max(laps) * room, HEIGHT - BOTTOM, TOP)
    return Plot(
        tuple(Tick(across.at(size), f"{size:,}") for size in sizes),
        tuple(Tick(up.at(time), _round(time)) for time in up.decades()),
        tuple(_line(climb, engines.index(climb.engine), across, up) for climb in climbs),
    )


def _line(climb: Climb, place: int, across: Axis, up: Axis) -> Line:
    marks = tuple(
        Mark(
            across.at(size),
            up.at(climb.median(size)),
            up.at(max(climb.laps[size])),
            up.at(min(climb.laps[size])),
            f"{climb.engine}, {size:,}: {duration(climb.median(size))}",
        )
        for size in climb.sizes
    )
    return Line(climb.engine, place, marks, bool(climb.stopped))


def _round(seconds: float) -> str:
    """Of a power of ten: 10 ms."""
    number, unit = duration(seconds).split()
    return f"{float(number):.0f} {unit}"
