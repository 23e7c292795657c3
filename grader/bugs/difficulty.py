"""How hard a bug is to find, from what the cases that a candidate sees say about it."""

from functools import cache

from grader.bugs.matrix import Matrix, read_matrix, suite

EASY, MIDDLING, HARD = 1, 2, 3


@cache
def difficulty_of(exercise: str) -> dict[str, int]:
    """1, 2 or 3 for each bug of the catalogue, by its id. Raises MatrixError."""
    visible = {case.name for case in suite(exercise) if case.visibility == "visible"}
    return difficulties(read_matrix(exercise), visible)


def difficulties(matrix: Matrix, visible: set[str]) -> dict[str, int]:
    """By the number of visible cases that fail: the fewer point at a bug, the harder it is.

    The bugs are cut in thirds by that number, equal numbers staying together; what no visible case
    shows is hard.
    """
    shown = {bug: len(visible & failed.keys()) for bug, failed in matrix.failures.items()}
    ranked = sorted(shown.values(), reverse=True)
    easy, middling = (ranked[len(ranked) * third // 3 - 1] for third in (1, 2))
    return {bug: _rank(number, easy, middling) for bug, number in shown.items()}


def _rank(number: int, easy: int, middling: int) -> int:
    if not number:
        return HARD
    return EASY if number >= easy else MIDDLING if number >= middling else HARD
