"""Numbers on the command line."""

import math

import click


def finite(_: click.Context, __: click.Parameter, number: float | None) -> float | None:
    """No range holds NaN off, since it compares with nothing."""
    if number is not None and not math.isfinite(number):
        raise click.BadParameter(f"{number} is no number")
    return number
