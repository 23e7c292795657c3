"""The request language, for the engines the grader itself brings along.

Checking is exhaustive: `problems` finds everything that is wrong with a request, so that a fixture
that expects an error can be held to having one thing wrong, whatever order an engine checks in.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

Value = TypeVar("Value")
Matrix = list[list[float]]
Shape = tuple[int, int]

OPS = ("value", "grad", "gradcheck")
ARITY = {"matmul": 2, "add": 2, "sub": 2, "mul": 2, "tanh": 1, "sum": 1, "mean": 1}
ONE_BY_ONE: Shape = (1, 1)


class Step(NamedTuple):
    name: str
    operation: str
    operands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A request that is in order: matrices of floats, and steps that fit together."""

    op: str
    inputs: dict[str, Matrix]
    steps: tuple[Step, ...]
    output: str


class Problem(NamedTuple):
    """`word` is what the ValueError must contain."""

    word: str
    text: str


def read(request: dict[str, Any]) -> Program:
    """Raises ValueError for the first thing that is wrong."""
    for problem in problems(request):
        raise ValueError(f"{problem.word}: {problem.text}")
    return Program(
        op=request["op"],
        inputs={
            name: [[float(entry) for entry in row] for row in matrix]
            for name, matrix in request["inputs"].items()
        },
        steps=tuple(
            Step(name, operation, tuple(operands))
            for name, operation, *operands in request["steps"]
        ),
        output=request["output"],
    )


def problems(request: dict[str, Any]) -> Iterator[Problem]:
    """Everything that is wrong, one cause once: what follows from a problem is not another."""
    if not isinstance(request["op"], str) or request["op"] not in OPS:
        yield Problem("op", f"{request['op']!r} is none of {', '.join(OPS)}")
    shapes: dict[str, Shape | None] = {}  # None: unknown, since something was wrong on the way
    for name, matrix in request["inputs"].items():
        why = why_no_matrix(matrix)
        shapes[name] = None if why else (len(matrix), len(matrix[0]))
        if why:
            yield Problem("matrix", f"{name!r} {why}")
    if not isinstance(request["steps"], list):
        yield Problem("step", "steps must be a list")
        return
    for step in request["steps"]:
        yield from _step_problems(step, shapes)
    if not isinstance(request["output"], str) or request["output"] not in shapes:
        yield Problem("name", f"the output {request['output']!r} is not defined")
    elif request["op"] in ("grad", "gradcheck"):
        shape = shapes[request["output"]]
        if shape not in (None, ONE_BY_ONE):
            yield Problem("output", f"{request['output']!r} is {shape}, not 1 by 1")


def why_no_matrix(matrix: Any) -> str:
    """Empty for a matrix."""
    if not isinstance(matrix, list) or not matrix:
        return "is no non-empty list"
    for row in matrix:
        if not isinstance(row, list) or not row or not isinstance(matrix[0], list):
            return f"has {row!r} where a non-empty row should be"
        if len(row) != len(matrix[0]):
            return "has rows of different lengths"
        for entry in row:
            if type(entry) not in (int, float) or not abs(entry) <= sys.float_info.max:
                return f"has {entry!r} where a finite number should be"
    return ""


def _step_problems(step: Any, shapes: dict[str, Shape | None]) -> Iterator[Problem]:
    if not isinstance(step, list) or len(step) < 2 or not all(isinstance(w, str) for w in step):
        yield Problem("step", f"{step!r} is not [name, operation, input names...]")
        if isinstance(step, list) and step and isinstance(step[0], str):
            shapes.setdefault(step[0], None)
        return
    name, operation, *operands = step
    is_sound = operation in ARITY and len(operands) == ARITY[operation]
    if not is_sound:
        yield Problem("step", f"{step!r}: no such operation, or not as many inputs as it takes")
    undefined = [operand for operand in operands if operand not in shapes]
    if undefined:
        yield Problem("name", f"{step!r} uses {undefined[0]!r}, which is not defined")
    if name in shapes:
        yield Problem("name", f"{step!r} defines {name!r} a second time")
        return
    known = [shapes.get(operand) for operand in operands]
    shapes[name] = None
    if is_sound and all(known):
        shapes[name] = result_shape(operation, *known)  # type: ignore[arg-type]
        if shapes[name] is None:
            yield Problem("shape", f"{step!r}: {' and '.join(map(str, known))} do not fit")


def result_shape(operation: str, a: Shape, b: Shape = ONE_BY_ONE) -> Shape | None:
    """None where the shapes do not fit."""
    match operation:
        case "sum" | "mean":
            return ONE_BY_ONE
        case "tanh":
            return a
        case "matmul":
            return (a[0], b[1]) if a[1] == b[0] else None
    if all(m == n or 1 in (m, n) for m, n in zip(a, b, strict=True)):
        return max(a[0], b[0]), max(a[1], b[1])
    return None


def evaluated(
    program: Program, inputs: Mapping[str, Value], operations: Mapping[str, Callable[..., Value]]
) -> Value:
    """The output, in whatever kind of value the operations work on."""
    values = {name: inputs[name] for name in program.inputs}
    for name, operation, operands in program.steps:
        values[name] = operations[operation](*(values[operand] for operand in operands))
    return values[program.output]
