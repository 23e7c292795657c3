"""Drawing by a seed, the same on every machine and in every version of Python.

Only `random()` is used: of all that a Random does, that sequence alone is promised to stay.
https://docs.python.org/3/library/random.html#notes-on-reproducibility
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def seeded(*seed: object) -> Random:
    """A source of chance of its own for each sequence of words and numbers."""
    return Random(" ".join(map(str, seed)))  # noqa: S311


def below(draw: Random, n: int) -> int:
    """One of 0 .. n - 1."""
    return int(draw.random() * n)


def one_of(draw: Random, items: Sequence[Item]) -> Item:
    return items[below(draw, len(items))]


def shuffled(draw: Random, items: Sequence[Item]) -> list[Item]:
    left = list(items)
    return [left.pop(below(draw, len(left))) for _ in items]
