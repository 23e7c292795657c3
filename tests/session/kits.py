"""Kits for the tests, each made once."""

from functools import cache

from grader.project import read_exercise
from grader.session.draw import draw
from grader.session.kit import Files, Order, kit_files
from grader.session.record import Start


@cache
def order(exercise: str, seed: int, start: Start = "buggy", *, has_twist: bool = True) -> Order:
    bugs = draw(exercise, seed) if start == "buggy" else ()
    return Order(read_exercise(exercise), seed, start, 55, bugs, has_twist=has_twist)


@cache
def kit(exercise: str, seed: int, start: Start = "buggy") -> Files:
    return kit_files(order(exercise, seed, start))


KITS: list[tuple[str, int, Start]] = [
    ("tiny", 1, "buggy"),
    ("tiny", 2, "buggy"),
    ("tensor", 1, "skeleton"),
    ("tensor", 1, "buggy"),
]
