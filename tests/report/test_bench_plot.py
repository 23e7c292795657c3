"""Where a plot puts things: straight lines for powers, everything within the picture."""

import itertools

import pytest

from grader.report.bench_plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Line, plotted
from tests.report.benchmarks import benchmark, climb

ENGINES = ["a", "b"]


def slopes(line: Line) -> list[float]:
    return [(b.y - a.y) / (b.x - a.x) for a, b in itertools.pairwise(line.marks)]


def test_a_power_is_a_straight_line_and_its_square_twice_as_steep() -> None:
    plot = plotted(
        [climb("a", "chain", lambda n: 1e-6 * n), climb("b", "chain", lambda n: 1e-8 * n * n)],
        ENGINES,
    )
    assert plot is not None
    linear, square = map(slopes, plot.lines)
    assert linear == pytest.approx([linear[0]] * len(linear))
    assert square == pytest.approx([2 * linear[0]] * len(square))
    assert linear[0] < 0  # up is less in a picture


@pytest.mark.parametrize("workload", ["residual", "small"])
def test_everything_lies_within_the_axes(workload: str) -> None:
    found = benchmark()
    plot = plotted(found.of(workload), list(found.titles))
    assert plot is not None
    for line in plot.lines:
        for mark in line.marks:
            assert LEFT < mark.x < WIDTH - RIGHT
            assert TOP < mark.high <= mark.y <= mark.low < HEIGHT - BOTTOM
    assert all(TOP <= tick.at <= HEIGHT - BOTTOM for tick in plot.times)
    assert [tick.label for tick in plot.sizes][-1] in ("100,000", "1,000")


def test_an_engine_has_the_same_place_in_every_plot() -> None:
    plot = plotted([climb("b", "chain", lambda n: 1e-6 * n)], ENGINES)
    assert plot is not None
    assert [line.place for line in plot.lines] == [1]


def test_times_are_marked_by_powers_of_ten_in_units_one_reads() -> None:
    plot = plotted([climb("a", "chain", lambda n: 2e-6 * n)], ENGINES)
    assert plot is not None
    labels = [tick.label for tick in plot.times]
    assert labels == ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]


def test_who_stopped_is_marked_and_who_never_began_has_no_marks() -> None:
    plot = plotted(
        [
            climb("a", "chain", lambda n: 1e-6 * n, 100, "at 300: RecursionError"),
            climb("b", "chain", lambda n: 1e-6 * n, 0, "at 3: ValueError"),
        ],
        ENGINES,
    )
    assert plot is not None
    assert [(len(line.marks), line.has_stopped) for line in plot.lines] == [(4, True), (0, True)]


def test_one_size_is_a_plot_too_and_none_is_not() -> None:
    plot = plotted([climb("a", "chain", lambda n: 1e-6 * n, 3)], ENGINES)
    assert plot is not None
    assert LEFT < plot.lines[0].marks[0].x < WIDTH - RIGHT
    assert plotted([climb("a", "chain", lambda n: n, 0, "no")], ENGINES) is None
