"""Exponents: found where they are known, and no surer than the rounds allow."""

import pytest

from grader.bench.growing import Fit, fitted, shape_of

SIZES = (3, 10, 30, 100, 300, 1_000)


def laps(exponent: float, noise: tuple[float, ...]) -> dict[int, list[float]]:
    """Each round has the same noise at every size but the last: that tilts its line."""
    return {
        size: [1e-6 * size**exponent * (n if size == SIZES[-1] else 1) for n in noise]
        for size in SIZES
    }


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.5])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    fit = fitted(laps(exponent, (1.0, 1.0, 1.0)))
    assert fit is not None
    assert fit.exponent == pytest.approx(exponent)
    assert fit.half == pytest.approx(0, abs=1e-9)
    assert fit.sizes == SIZES[-4:]


def test_a_machine_that_is_twice_as_slow_in_a_round_changes_nothing() -> None:
    steady = {size: [1e-6 * size, 2e-6 * size, 5e-6 * size] for size in SIZES}
    fit = fitted(steady)
    assert fit is not None
    assert fit.exponent == pytest.approx(1)
    assert fit.half == pytest.approx(0, abs=1e-9)


def test_the_interval_is_students_of_the_rounds() -> None:
    """Slopes 0.9, 1.0 and 1.1: their standard error is 0.1 / sqrt(3), and t of two degrees 4.30."""
    sizes = (1, 10, 100)
    slopes = (0.9, 1.0, 1.1)
    fit = fitted({size: [1e-3 * size**slope for slope in slopes] for size in sizes})
    assert fit is not None
    assert fit.exponent == pytest.approx(1)
    assert fit.half == pytest.approx(4.30 * 0.1 / 3**0.5)
    assert str(fit) == "1.00 (0.75 to 1.25)"


def test_more_rounds_are_surer() -> None:
    few, many = fitted(laps(1, (1.0, 1.2))), fitted(laps(1, (1.0, 1.2) * 6))
    assert few is not None
    assert many is not None
    assert few.half is not None
    assert many.half is not None
    assert few.half > 10 * many.half


def test_one_round_has_an_exponent_and_no_interval() -> None:
    fit = fitted(laps(1, (1.0,)))
    assert fit is not None
    assert fit.half is None
    assert str(fit) == "1.00"


def test_two_sizes_are_too_few() -> None:
    assert fitted({3: [1.0], 10: [2.0]}) is None


@pytest.mark.parametrize(
    ("exponent", "said"),
    [
        (0.3, "linear"),
        (1.2, "linear"),
        (1.5, "above linear"),
        (2.1, "quadratic"),
        (2.5, "above linear"),
        (3.0, "cubic"),
        (4.0, "faster than cubic"),
    ],
)
def test_what_an_exponent_is_called(exponent: float, said: str) -> None:
    assert shape_of(Fit(exponent, None, ())) == said
