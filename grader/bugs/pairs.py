"""Which bugs the cases tell apart."""

from grader.bugs.matrix import UNSTEADY, Matrix


def twins(matrix: Matrix) -> list[list[str]]:
    """Groups of bugs that fail the same cases in the same way; what fails none is in no group.

    A failure that is not the same each time tells nothing apart by how it fails.
    """
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for bug, failed in matrix.failures.items():
        if failed:
            alike.setdefault(tuple(sorted(failed.items())), []).append(bug)
    return [group for group in alike.values() if len(group) > 1]


def told_apart_by(matrix: Matrix, one: str, other: str) -> list[str]:
    """The cases that fail for one of two bugs only, or for each in a way of its own."""
    a, b = matrix.failures[one], matrix.failures[other]
    return [
        case
        for case in matrix.cases
        if a.get(case) != b.get(case) and UNSTEADY not in (a.get(case), b.get(case))
    ]
