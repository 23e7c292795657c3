"""How hard a bug is to find: by how many of the visible cases point at it."""

from collections import Counter

import pytest

from grader.bugs import catalogue
from grader.bugs.difficulty import difficulties, difficulty_of
from grader.bugs.matrix import Matrix


def test_the_fewer_visible_cases_fail_the_harder() -> None:
    names = tuple("abcdef")
    numbers = {"six": 6, "five": 5, "three": 3, "also": 3, "one": 1, "none": 0}
    failures = {bug: dict.fromkeys(names[:number], "wrong") for bug, number in numbers.items()}
    found = difficulties(Matrix("tiny", "", names, failures, {}), set(names))
    assert found == {"six": 1, "five": 1, "three": 2, "also": 2, "one": 3, "none": 3}


def test_hidden_cases_do_not_count() -> None:
    failures = {
        "a": {"x": "wrong", "y": "wrong"},
        "b": {"x": "wrong"},
        "c": {"h": "wrong", "i": "wrong", "j": "wrong"},
    }
    found = difficulties(Matrix("tiny", "", (), failures, {}), {"x", "y"})
    assert found == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize("exercise", ["tiny", "tensor"])
def test_every_bug_has_a_difficulty_and_each_is_common(exercise: str) -> None:
    found = difficulty_of(exercise)
    assert list(found) == list(catalogue(exercise))
    counts = Counter(found.values())
    assert set(counts) == {1, 2, 3}
    assert min(counts.values()) >= len(found) // 5
