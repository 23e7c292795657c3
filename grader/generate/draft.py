"""What a profile draws: a program that has no answer yet."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True)
class Draft:
    """A request to an engine, before anybody has answered it.

    raises   the word of the expected ValueError, empty where a result is expected
    first    requests that are made just before, in the same module
    seconds  the limit
    answer   the result by a formula, where the program is too deep to be worked out step by step
    """

    request: dict[str, Any]
    raises: str = ""
    first: tuple[dict[str, Any], ...] = ()
    seconds: float = 1.0
    answer: dict[str, Any] | None = None


class Disagreement(Exception):
    """The sources part: one of them is wrong, or the program should never have been drawn."""


# One named way of drawing programs, without end.
Profile = Callable[[Random], Iterator[Draft]]
