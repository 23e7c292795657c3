"""Drawing by a seed, the same on every machine and for every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Chance:
    """Only `random()` is used: of all that a Random does, that sequence alone is promised to stay.

    https://docs.python.org/3/library/random.html#notes-on-reproducibility
    """

    def __init__(self, *seed: object) -> None:
        self.random = Random(" ".join(map(str, seed))).random  # noqa: S311

    def below(self, number: int) -> int:
        """A whole number from 0 up to, not including, `number`."""
        return int(self.random() * number)

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def in_any_order(self, items: Sequence[Item]) -> list[Item]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]
