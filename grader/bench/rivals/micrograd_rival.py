"""micrograd: one Value a number. It sorts by recursion, so the recursion limit is raised."""

import math
import sys
from collections.abc import Callable

from micrograd.engine import Value

from grader.bench.inside import Matrix, Run, Task, by_operators

DEEP_ENOUGH = 1 << 30


class Grid:
    """Rows of values, with the operators that the workloads use."""

    def __init__(self, rows: list[list[Value]]) -> None:
        self.rows = rows

    def __matmul__(self, other: "Grid") -> "Grid":
        columns = list(zip(*other.rows, strict=True))
        return Grid([[dot(row, column) for column in columns] for row in self.rows])

    def __add__(self, other: "Grid") -> "Grid":
        return self.with_each(other, lambda a, b: a + b)

    def __mul__(self, other: "Grid") -> "Grid":
        return self.with_each(other, lambda a, b: a * b)

    def with_each(self, other: "Grid", f: Callable[[Value, Value], Value]) -> "Grid":
        """With a row as wide, or with one number for all."""
        (row,), (others,) = self.rows, other.rows
        if len(others) == 1:
            others = others * len(row)
        return Grid([[f(a, b) for a, b in zip(row, others, strict=True)]])


def dot(row: list[Value], column: tuple[Value, ...]) -> Value:
    first, *more = (a * b for a, b in zip(row, column, strict=True))
    for product in more:
        first = first + product
    return first


def tanh(x: Value) -> Value:
    """Micrograd has none; made as its own operations are."""
    t = math.tanh(x.data)
    out = Value(t, (x,), "tanh")

    def _backward() -> None:
        x.grad += (1 - t * t) * out.grad

    out._backward = _backward  # noqa: SLF001
    return out


F = {"tanh": tanh, "relu": Value.relu}


def backward(y: Grid) -> None:
    first, *more = y.rows[0]
    for value in more:
        first = first + value
    first.backward()


def prepared(task: Task) -> Run:
    sys.setrecursionlimit(DEEP_ENOUGH)

    def leaf(data: Matrix) -> Grid:
        return Grid([[Value(number) for number in row] for row in data])

    f = F[task.f]
    return by_operators(
        task, leaf, backward, lambda x: Grid([[f(value) for value in row] for row in x.rows])
    )
