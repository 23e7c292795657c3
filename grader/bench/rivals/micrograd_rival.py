"""micrograd: one Value a number. It sorts by recursion, so the recursion limit is raised."""

import sys

from micrograd.engine import Value

from grader.bench.inside import Run, by_operators

sys.setrecursionlimit(1 << 30)


class Row:
    """Lists of lists of values, with the operators that the workloads use."""

    def __init__(self, rows: list[list[Value]]) -> None:
        self.rows = rows

    def __matmul__(self, other: "Row") -> "Row":
        (row,) = self.rows
        (a, b), columns = row, zip(*other.rows, strict=True)
        return Row([[a * c + b * d for c, d in columns]])

    def __add__(self, other: "Row") -> "Row":
        (row,), ((first, *more),) = self.rows, other.rows
        return Row([[row[0] + first, row[1] + (more[0] if more else first)]])

    def __mul__(self, other: "Row") -> "Row":
        ((number,),) = other.rows
        return Row([[value * number for value in self.rows[0]]])


def relu(x: Row) -> Row:
    return Row([[value.relu() for value in row] for row in x.rows])


def backward(y: Row) -> None:
    a, b = y.rows[0]
    (a + b).backward()


def prepared(workload: str, size: int) -> Run:
    def leaf(data: list[list[float]]) -> Row:
        return Row([[Value(number) for number in row] for row in data])

    return by_operators(workload, size, leaf, backward, relu)
