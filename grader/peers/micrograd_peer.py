"""micrograd: one Value a number (https://github.com/karpathy/micrograd).

It has no tanh and no exp, and sorts its graph by recursion, so the recursion limit is raised.
"""

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce

from micrograd.engine import Value

from grader.language import Matrix, Program, evaluated

Grid = list[list[Value]]
DEEP_ENOUGH = 1_000_000


class Library:
    """Micrograd as a `Differentiator`."""

    def value(self, program: Program) -> Matrix:
        return [[value.data for value in row] for row in _run(program, _leaves(program))]

    def gradients(self, program: Program) -> dict[str, Matrix]:
        leaves = _leaves(program)
        weights = [[1.0]] if program.upstream is None else program.upstream
        rows = zip(_run(program, leaves), weights, strict=True)
        output = _total([v * w for row in rows for v, w in zip(*row, strict=True)])
        with deep_recursion():
            output.backward()
        return {
            name: [[float(value.grad) for value in row] for row in grid]
            for name, grid in leaves.items()
        }


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP_ENOUGH)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _leaves(program: Program) -> dict[str, Grid]:
    return {
        name: [[Value(entry) for entry in row] for row in matrix]
        for name, matrix in program.inputs.items()
    }


def _run(program: Program, leaves: dict[str, Grid]) -> Grid:
    for step in program.steps:
        if step.operation not in OPERATIONS:
            raise NotImplementedError(f"micrograd has no {step.operation}")
    return evaluated(program, leaves, OPERATIONS)


def _matmul(a: Grid, b: Grid) -> Grid:
    columns = list(zip(*b, strict=True))
    return [
        [_total([x * y for x, y in zip(row, column, strict=True)]) for column in columns]
        for row in a
    ]


def _total(values: list[Value]) -> Value:
    return reduce(lambda x, y: x + y, values)


def _by_entry(function: Callable[[Value, Value], Value]) -> Callable[[Grid, Grid], Grid]:
    def apply(a: Grid, b: Grid) -> Grid:
        rows, columns = range(max(len(a), len(b))), range(max(len(a[0]), len(b[0])))
        return [
            [function(a[i % len(a)][j % len(a[0])], b[i % len(b)][j % len(b[0])]) for j in columns]
            for i in rows
        ]

    return apply


OPERATIONS: dict[str, Callable[..., Grid]] = {
    "matmul": _matmul,
    "add": _by_entry(lambda x, y: x + y),
    "sub": _by_entry(lambda x, y: x - y),
    "mul": _by_entry(lambda x, y: x * y),
    "relu": lambda a: [[value.relu() for value in row] for row in a],
    "transpose": lambda a: [list(column) for column in zip(*a, strict=True)],
    "sum": lambda a: [[_total(list(itertools.chain(*a)))]],
    "mean": lambda a: [[_total(list(itertools.chain(*a))) * (1 / (len(a) * len(a[0])))]],
}
