"""How an engine's work grows with depth: counted on short programs, so that no clock has a say.

Work is the number of calls and lines of Python that an engine runs, which is the same on every run
and every machine with the same Python. A deep program is shortened and counted at a few depths;
from there the work of the whole is exact, or foreseen by a straight line or a parabola.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from grader.kit.case import DEEP, Case, Request
from grader.kit.repeat import expanded, is_repeat

DEEP_ROUNDS, DEEP_STEPS = DEEP, 2 * DEEP
FIRST_DEPTHS = (4, 8, 12, 16)
STEPS_A_ROUND = 12  # a program without rounds is cut after so many: periods of 2, 3, 4 and 6 fit
WHOLE = 1_000  # steps; a program without rounds is counted whole up to here
MOST_WORK = 400_000  # counted for one case, some 40 ms
EVEN = 0.02  # by which share the slopes of a straight line may differ
STEEPER_THAN_A_POWER = 4.5
STEEP, STEEPER = 1.5, 2.5
MOST_DOUBLINGS = 900  # more than any limit, and still a float

Kind = Literal["linear", "superlinear", "quadratic", "steeper", "exponential", "unknown"]


class Point(NamedTuple):
    """So much work, in calls and lines, at a depth in rounds or steps."""

    depth: int
    work: int


@dataclass(frozen=True)
class Growth:
    """`work` is that of the whole program: exact, or foreseen.

    Where counting ended at a depth, `beyond` is that depth, and its work more than `most`; then the
    whole has at least `work`.
    """

    kind: Kind
    points: tuple[Point, ...]
    depth: int
    unit: str
    work: float
    beyond: int | None = None
    most: int = MOST_WORK

    def __str__(self) -> str:
        shown = self.points[-3:]
        depths = [f"{point.depth:,}" for point in shown]
        works = [_about(point.work) for point in shown]
        if self.beyond is not None:
            depths.append(f"{self.beyond:,}")
            works.append(f"more than {_about(self.most)}")
        counted = f"{', '.join(depths)} {self.unit} run {', '.join(works)} lines of Python"
        return f"its work {SAID[self.kind]}: {counted}"


SAID: dict[Kind, str] = {  # from the least steep to the steepest
    "unknown": "is more than can be counted",
    "linear": "grows in step with depth",
    "superlinear": "grows faster than depth",
    "quadratic": "grows with the square of depth",
    "steeper": "grows faster than the square of depth",
    "exponential": "grows exponentially with depth",
}
KINDS: list[Kind] = list(SAID)


def _about(amount: float) -> str:
    """Two digits tell how it grows; more would differ where a set is walked in another order."""
    digits = max(0, int(math.log10(max(amount, 1))) - 1)
    return f"{int(round(amount, -digits)):,}"


# --- programs of any depth -----------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A deep case's request at any depth: its rounds shortened, or its steps cut off."""

    request: Request
    steps: list[Any]
    depth: int
    unit: Literal["rounds", "steps"]

    def at(self, depth: int) -> Request:
        if depth >= self.depth:
            return self.request
        if self.unit == "steps":
            kept = self.request["steps"][:depth]
            return {**self.request, "steps": kept, "output": kept[-1][0]}
        return {**self.request, "steps": expanded([_shortened(s, depth) for s in self.steps])}

    def first_depths(self) -> list[int]:
        if self.unit == "steps" and self.depth <= WHOLE:
            return [self.depth]
        each = STEPS_A_ROUND if self.unit == "steps" else 1
        return [depth * each for depth in FIRST_DEPTHS]


def deep_program(case: Case) -> Program | None:
    """None for a case that is not deep, or no program in order."""
    if case.is_short or not isinstance(case.steps, list):
        return None
    steps: list[Any] = case.request["steps"]
    rounds = [step["repeat"]["times"] for step in case.steps if is_repeat(step)]
    if rounds:
        if max(rounds) < DEEP_ROUNDS:
            return None
        return Program(case.request, case.steps, max(rounds), "rounds")
    if len(steps) < DEEP_STEPS:
        return None
    if not all(isinstance(step, list) and step and isinstance(step[0], str) for step in steps):
        return None
    return Program(case.request, steps, len(steps), "steps")


def _shortened(step: Any, times: int) -> Any:
    if not is_repeat(step):
        return step
    block = step["repeat"]
    return {"repeat": {**block, "times": min(times, block["times"])}}


# --- how it grows --------------------------------------------------------------------------------


def is_straight(points: Sequence[Point]) -> bool:
    """Whether three points or more lie on a line, but for a few in a hundred."""
    if len(points) < 3:
        return False
    slopes = _slopes(points)
    return max(slopes) - min(slopes) <= EVEN * max(abs(slope) for slope in slopes)


def _slopes(points: Sequence[Point]) -> list[float]:
    return [(b.work - a.work) / (b.depth - a.depth) for a, b in pairwise(points)]


def power(a: Point, b: Point) -> float:
    """The exponent p of work ~ depth ** p through two points."""
    return math.log(max(b.work, 1) / max(a.work, 1)) / math.log(b.depth / a.depth)


def kind_of(points: Sequence[Point]) -> Kind:
    """By the last two points, once there are three that make no straight line."""
    if is_straight(points):
        return "linear"
    if len(points) < 2:
        return "unknown"
    steepness = power(*points[-2:])
    if steepness > STEEPER_THAN_A_POWER:
        return "exponential"
    if steepness > STEEPER:
        return "steeper"
    return "quadratic" if steepness > STEEP else "superlinear"


def foreseen(points: Sequence[Point], depth: int) -> float:
    """The work at a greater depth, along the curve that the last points lie on."""
    kind, last = kind_of(points), points[-1]
    if last.depth == depth or kind == "unknown":
        return float(last.work)
    further = depth - last.depth
    slopes = _slopes(points)
    if kind == "linear":
        return last.work + slopes[-1] * further
    if kind == "exponential":
        before = points[-2]
        doublings = math.log2(last.work / max(before.work, 1)) * further
        doublings /= last.depth - before.depth
        return last.work * math.exp2(min(doublings, MOST_DOUBLINGS))
    by_power = last.work * math.pow(depth / last.depth, power(*points[-2:]))
    if len(points) < 3 or kind == "superlinear":
        return by_power
    bend = (slopes[-1] - slopes[-2]) / (last.depth - points[-3].depth)
    by_parabola = last.work + further * (slopes[-1] + bend * (depth - points[-2].depth))
    return max(by_power, by_parabola)
