"""What a profile draws: a program that has no answer yet."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from grader import language
from grader.kit.case import Raises


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


def refused(draft: Draft, exercise: str) -> Raises:
    """For a draft that is to be refused. Raises Disagreement unless one thing alone is wrong."""
    problems = list(language.problems(draft.request, exercise))
    if [problem.word for problem in problems] != [draft.raises]:
        found = "; ".join(f"{word}: {text}" for word, text in problems) or "nothing"
        raise Disagreement(f"one thing should be wrong, {draft.raises}; it is: {found}")
    return Raises(draft.raises)


# One named way of drawing programs, without end.
Profile = Callable[[Random], Iterator[Draft]]
