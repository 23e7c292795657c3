"""What the right answer is, from sources that share no code with the reference.

Torch's own autograd (float64) gives the numbers of a fixture; central differences of the plain
forward pass below confirm them, and so does the reference.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from grader import language
from grader.language import Matrix, Program

DECIMALS = 6
CHECK_DECIMALS = 4
CHECK_LIMIT = 1e-5
# A deep program bends so sharply that a longer step misses its slope; a shallow one is so straight
# that a shorter step loses it in rounding. Agreement at either is agreement.
STEPS = (1e-5, 1e-7)
# Above this many steps x probes the entries are probed together, along random directions.
MOST_WORK = 200_000
DIRECTIONS = 2
AGREEMENT = 1e-5  # of a central difference with a gradient, relative to their size and at least 1


class Differentiator(Protocol):
    """A library behind the request language: it evaluates and differentiates, nothing else."""

    def value(self, program: Program) -> Matrix:
        """The output."""

    def gradients(self, program: Program) -> dict[str, Matrix]:
        """d output / d input for every input, in the input's shape; the output is 1 by 1."""


def answer(request: dict[str, Any], library: Differentiator) -> dict[str, Any]:
    """What `autograd(request)` must return, computed by `library`. Raises ValueError as it must."""
    program = language.read(request)
    if program.op == "value":
        return {"value": rounded(library.value(program))}
    if program.op == "grad":
        return {
            "value": rounded(library.value(program))[0][0],
            "grads": {n: rounded(grad) for n, grad in library.gradients(program).items()},
        }
    errors = {
        name: max(abs(g - d) for g, d in zip(flat(grad), differences(program, name), strict=True))
        for name, grad in library.gradients(program).items()
    }
    return {
        "passed": all(error < CHECK_LIMIT for error in errors.values()),
        "errors": {name: round(error, CHECK_DECIMALS) for name, error in errors.items()},
    }


def rounded(matrix: Matrix) -> Matrix:
    return [[round(entry, DECIMALS) + 0.0 for entry in row] for row in matrix]


def flat(matrix: Matrix) -> list[float]:
    return [entry for row in matrix for entry in row]


# --- central differences -------------------------------------------------------------------------


def disagreement(program: Program, grads: dict[str, Matrix]) -> str:
    """Where gradients and central differences part, in words; empty if nowhere."""
    entries = sum(len(flat(matrix)) for matrix in program.inputs.values())
    if 2 * entries * len(program.steps) > MOST_WORK:
        return _disagreement_along_directions(program, grads)
    for name, grad in grads.items():
        for index, (got, way) in enumerate(zip(flat(grad), unit_ways(program, name), strict=True)):
            if not _agrees(program, way, got, near=AGREEMENT * max(1.0, abs(got))):
                probe = directional(program, way)
                return f"gradient of {name}, entry {index}: {got!r}, by differences {probe!r}"
    return ""


def _disagreement_along_directions(program: Program, grads: dict[str, Matrix]) -> str:
    import random  # not before it is needed: grading never is

    draw = random.Random(0)  # noqa: S311
    for _ in range(DIRECTIONS):
        ways = {
            name: [[draw.uniform(-1, 1) for _ in row] for row in matrix]
            for name, matrix in program.inputs.items()
        }
        terms = [
            g * w
            for n, grad in grads.items()
            for g, w in zip(flat(grad), flat(ways[n]), strict=True)
        ]
        got, near = math.fsum(terms), AGREEMENT * max(1.0, sum(map(abs, terms)))
        if not _agrees(program, ways, got, near):
            probe = directional(program, ways)
            return f"along a direction the gradients give {got!r}, differences {probe!r}"
    return ""


def _agrees(program: Program, ways: dict[str, Matrix], got: float, near: float) -> bool:
    return math.isfinite(got) and any(
        abs(got - directional(program, ways, step)) <= near for step in STEPS
    )


def differences(program: Program, name: str) -> Iterator[float]:
    """d output / d every entry of one input, row by row."""
    return (directional(program, ways) for ways in unit_ways(program, name))


def unit_ways(program: Program, name: str) -> Iterator[dict[str, Matrix]]:
    """For every entry of an input, row by row, the direction that moves it and nothing else."""
    for i, row in enumerate(program.inputs[name]):
        for j in range(len(row)):
            ways = {other: zeros_like(matrix) for other, matrix in program.inputs.items()}
            ways[name][i][j] = 1.0
            yield ways


def zeros_like(matrix: Matrix) -> Matrix:
    return [[0.0] * len(row) for row in matrix]


def directional(program: Program, ways: dict[str, Matrix], step: float = STEPS[0]) -> float:
    """The derivative of the output along a direction.

    Two central differences, of steps h and 2h, combined so that the error of order h^2 cancels
    (Richardson extrapolation); what is left is of order h^4, and rounding. `step` is relative to
    the largest entry that moves, where that is above 1.
    """
    h = step * max([1.0, *moving_entries(program.inputs, ways)])

    def central(by: float) -> float:
        above = evaluate(program, moved(program.inputs, ways, by))[0][0]
        below = evaluate(program, moved(program.inputs, ways, -by))[0][0]
        return (above - below) / (2 * by)

    return (4 * central(h) - central(2 * h)) / 3


def moving_entries(inputs: dict[str, Matrix], ways: dict[str, Matrix]) -> Iterator[float]:
    for name, matrix in inputs.items():
        for entry, way in zip(flat(matrix), flat(ways[name]), strict=True):
            if way:
                yield abs(entry)


def moved(inputs: dict[str, Matrix], ways: dict[str, Matrix], step: float) -> dict[str, Matrix]:
    return {
        name: [
            [x + step * w for x, w in zip(row, way, strict=True)]
            for row, way in zip(matrix, ways[name], strict=True)
        ]
        for name, matrix in inputs.items()
    }


# --- the plain forward pass ----------------------------------------------------------------------


def evaluate(program: Program, inputs: dict[str, Matrix]) -> Matrix:
    """The output, by the definitions of the operations."""
    return language.evaluated(program, inputs, FORWARD)


def _matmul(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a
    ]


def _by_entry(function: Callable[[float, float], float]) -> Callable[[Matrix, Matrix], Matrix]:
    def apply(a: Matrix, b: Matrix) -> Matrix:
        rows, columns = max(len(a), len(b)), max(len(a[0]), len(b[0]))
        return [
            [
                function(a[i % len(a)][j % len(a[0])], b[i % len(b)][j % len(b[0])])
                for j in range(columns)
            ]
            for i in range(rows)
        ]

    return apply


FORWARD: dict[str, Callable[..., Matrix]] = {
    "matmul": _matmul,
    "add": _by_entry(lambda x, y: x + y),
    "sub": _by_entry(lambda x, y: x - y),
    "mul": _by_entry(lambda x, y: x * y),
    "tanh": lambda a: [[math.tanh(x) for x in row] for row in a],
    "sum": lambda a: [[math.fsum(flat(a))]],
    "mean": lambda a: [[math.fsum(flat(a)) / len(flat(a))]],
}
