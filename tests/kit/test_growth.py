"""From a few counts of work to how it grows, and what the whole will take."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.kit.case import Case
from grader.kit.growth import (
    DEEP_ROUNDS,
    DEEP_STEPS,
    FIRST_DEPTHS,
    STEPS_A_ROUND,
    WHOLE,
    Growth,
    Kind,
    Point,
    deep_program,
    foreseen,
    is_straight,
    kind_of,
)
from grader.kit.repeat import expanded
from tests.cases import case, scenario

LAWS: list[tuple[Kind, Callable[[int], float]]] = [
    ("linear", lambda n: 300 + 40 * n),
    ("linear", lambda _: 500),
    ("superlinear", lambda n: 100 * n**1.3),
    ("quadratic", lambda n: 7 * n**2),
    ("steeper", lambda n: 5 * n**3),
    ("exponential", lambda n: 20 * 2**n),
]


def points(law: Callable[[int], float], depths: tuple[int, ...] = FIRST_DEPTHS) -> list[Point]:
    return [Point(depth, round(law(depth))) for depth in depths]


@pytest.mark.parametrize(("kind", "law"), LAWS)
def test_a_law_is_told_from_its_first_points(kind: Kind, law: Callable[[int], float]) -> None:
    assert kind_of(points(law)) == kind


@pytest.mark.parametrize(("kind", "law"), LAWS)
def test_the_whole_is_foreseen_along_the_law(kind: Kind, law: Callable[[int], float]) -> None:
    assert foreseen(points(law), 64) == pytest.approx(law(64), rel=0.05)


@given(st.integers(0, 10_000), st.integers(1, 10_000), st.integers(17, 100_000))
def test_a_straight_line_is_foreseen_exactly(start: int, slope: int, depth: int) -> None:
    line = points(lambda n: start + slope * n)
    assert is_straight(line)
    assert foreseen(line, depth) == start + slope * depth


@example([0, 1_000_000], 1_000)
@given(st.lists(st.integers(0, 1_000_000), min_size=2, max_size=4), st.integers(16, 1_000_000))
def test_no_counts_are_too_odd_to_foresee(work: list[int], depth: int) -> None:
    """A hand-in decides what is counted."""
    assert foreseen(list(map(Point, FIRST_DEPTHS, work)), depth) < float("inf")


def test_two_points_make_no_straight_line() -> None:
    assert not is_straight([Point(4, 100), Point(8, 200)])


@pytest.mark.parametrize(
    ("growth", "said"),
    [
        (
            Growth("linear", (Point(4, 120), Point(8, 240), Point(12, 364)), 40, "rounds", 1200.0),
            "its work grows in step with depth: 4, 8, 12 rounds run 120, 240, 360 lines of Python",
        ),
        (
            Growth("exponential", (Point(4, 2_512),), 40, "rounds", 1e9, beyond=8),
            "its work grows exponentially with depth: "
            "4, 8 rounds run 2,500, more than 400,000 lines of Python",
        ),
        (
            Growth("unknown", (), 900, "steps", 1e9, beyond=900),
            "its work is more than can be counted: 900 steps run more than 400,000 lines of Python",
        ),
    ],
)
def test_growth_is_said_in_one_line_with_what_was_counted(growth: Growth, said: str) -> None:
    assert str(growth) == said


# --- programs of any depth -----------------------------------------------------------------------


def rounds(times: int) -> list[Any]:
    block = {"times": times, "carry": {"h": "x"}, "steps": [["h", "add", "h", "h"]], "result": "h"}
    return [{"repeat": block}, ["y", "tanh", "h"]]


def chain(length: int) -> list[Any]:
    return [[f"h{i}", "add", "x", "x"] for i in range(length)]


@pytest.mark.parametrize("steps", [[], chain(DEEP_STEPS - 1), rounds(DEEP_ROUNDS - 1)])
def test_a_shallow_case_is_no_deep_program(steps: list[Any]) -> None:
    assert deep_program(deep(steps)) is None


@pytest.mark.parametrize("steps", [None, "twelve", [1] * 100, [[]] * 100, [[3, "add"]] * 100])
def test_what_is_no_program_is_no_deep_program(steps: Any) -> None:
    assert deep_program(case(steps=steps)) is None
    assert deep_program(scenario("plays", "")) is None


def deep(steps: list[Any]) -> Case:
    written = expanded(steps)
    output = written[-1][0] if written else "x"
    return replace(case(steps=written, output=output), steps=steps)


@pytest.mark.parametrize("depth", [1, 4, 29])
def test_rounds_are_shortened(depth: int) -> None:
    program = deep_program(deep(rounds(30)))
    assert program is not None
    assert program.at(depth)["steps"] == expanded(rounds(depth))
    assert (program.depth, program.unit) == (30, "rounds")


def test_a_program_at_its_own_depth_is_the_case_itself() -> None:
    whole = deep(rounds(50))
    program = deep_program(whole)
    assert program is not None
    assert program.at(50) == program.at(51) == whole.request
    assert program.first_depths() == list(FIRST_DEPTHS)


def test_steps_without_rounds_are_cut_off_and_the_last_is_the_output() -> None:
    program = deep_program(deep(chain(2 * WHOLE)))
    assert program is not None
    assert program.unit == "steps"
    assert program.at(7)["steps"] == chain(7)
    assert program.at(7)["output"] == "h6"
    assert program.first_depths() == [depth * STEPS_A_ROUND for depth in FIRST_DEPTHS]


def test_a_few_hundred_steps_are_counted_whole() -> None:
    program = deep_program(deep(chain(WHOLE)))
    assert program is not None
    assert program.first_depths() == [WHOLE]
