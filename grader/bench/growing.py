"""The growth exponent of times: seconds ~ size ** p, and how sure that is.

Each round's laps give one exponent, by least squares on the logarithms of the largest sizes; from
the exponents of all rounds come their mean and its 95 % confidence interval (Student's t).
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LARGEST = 4  # sizes: below them what an engine does once has its say
# Two-sided 95 % quantiles of Student's t, by degrees of freedom.
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
T95_BEYOND = 2.2
NEARLY = 0.25


@dataclass(frozen=True, slots=True)
class Fit:
    """The exponent, and by how much it may be off either way; None for one round."""

    exponent: float
    half: float | None
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        if self.half is None:
            return f"{self.exponent:.2f}"
        least, most = self.exponent - self.half, self.exponent + self.half
        return f"{self.exponent:.2f} ({least:.2f} to {most:.2f})"


def fitted(seconds: Mapping[int, Sequence[float]]) -> Fit | None:
    """From the laps at each size, as many as there are rounds. None for fewer than three sizes."""
    sizes = sorted(seconds)[-LARGEST:]
    if len(sizes) < 3:
        return None
    rounds = zip(*(seconds[size] for size in sizes), strict=True)
    exponents = [slope_of(sizes, list(times)) for times in rounds]
    mean = statistics.fmean(exponents)
    if len(exponents) < 2:
        return Fit(mean, None, tuple(sizes))
    degrees = len(exponents) - 1
    t = T95[degrees - 1] if degrees <= len(T95) else T95_BEYOND
    half = t * statistics.stdev(exponents) / math.sqrt(len(exponents))
    return Fit(mean, half, tuple(sizes))


def slope_of(sizes: list[int], times: list[float]) -> float:
    """Of the straight line through the logarithms."""
    logs = [math.log(max(time, 1e-9)) for time in times]
    return statistics.linear_regression([math.log(size) for size in sizes], logs).slope


def shape_of(fit: Fit) -> str:
    """Linear includes what has not yet grown out of what it costs to begin."""
    for exponent, word in ((1.0, "linear"), (2.0, "quadratic"), (3.0, "cubic")):
        if fit.exponent <= exponent + NEARLY:
            return word if fit.exponent > exponent - NEARLY or exponent == 1.0 else "above linear"
    return "faster than cubic"
