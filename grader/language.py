"""The request language, for the engines the grader itself brings along.

Checking is exhaustive: `problems` finds everything that is wrong with a request, so that a fixture
that expects an error can be held to having one thing wrong, whatever order an engine checks in.

The exercises speak dialects of it: tiny has matrices only, tensor has arrays of any rank.
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from grader.arrays import Shape, broadcast_shape, shape_of

Value = TypeVar("Value")
Matrix = list[list[float]]
Nested = Any  # a number, or lists of any depth

OPS = ("value", "grad", "gradcheck")
ONE_BY_ONE: Shape = (1, 1)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the exercises.

    arity       how many inputs each operation takes
    total       the shape of a sum
    why_no      why a value is no input, empty if it is one
    has_one     whether a shape is that of an output that can be differentiated, `one` in words
    """

    arity: dict[str, int]
    total: Shape
    why_no: Callable[[Any], str]
    has_one: Callable[[Shape], bool]
    one: str

    def result_shape(self, operation: str, a: Shape, b: Shape = ONE_BY_ONE) -> Shape | None:
        """None where the shapes do not fit."""
        match operation:
            case "sum" | "mean":
                return self.total
            case "tanh" | "relu":
                return a
            case "transpose":
                return a[::-1]
            case "softmax_cross_entropy":
                return self.total if a == b else None
            case "matmul":
                return (a[0], b[1]) if len(a) == len(b) == 2 and a[1] == b[0] else None
        return broadcast_shape(a, b)


class Step(NamedTuple):
    name: str
    operation: str
    operands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A request that is in order: arrays of floats, and steps that fit together.

    `upstream` is what the gradients are weighted with, in the shape of the output; None for ones.
    """

    op: str
    inputs: dict[str, Nested]
    steps: tuple[Step, ...]
    output: str
    upstream: Nested = None
    exercise: str = "tiny"


class Problem(NamedTuple):
    """`word` is what the ValueError must contain."""

    word: str
    text: str


def read(request: dict[str, Any], exercise: str = "tiny") -> Program:
    """Raises ValueError for the first thing that is wrong."""
    for problem in problems(request, exercise):
        raise ValueError(f"{problem.word}: {problem.text}")
    return Program(
        op=request["op"],
        inputs={name: in_floats(value) for name, value in request["inputs"].items()},
        steps=tuple(
            Step(name, operation, tuple(operands))
            for name, operation, *operands in request["steps"]
        ),
        output=request["output"],
        upstream=in_floats(request["upstream"]) if "upstream" in request else None,
        exercise=exercise,
    )


def in_floats(value: Nested) -> Nested:
    """A copy."""
    return [in_floats(item) for item in value] if isinstance(value, list) else float(value)


def problems(request: dict[str, Any], exercise: str = "tiny") -> Iterator[Problem]:
    """Everything that is wrong, one cause once: what follows from a problem is not another."""
    dialect = DIALECTS[exercise]
    if not isinstance(request["op"], str) or request["op"] not in OPS:
        yield Problem("op", f"{request['op']!r} is none of {', '.join(OPS)}")
    shapes: dict[str, Shape | None] = {}  # None: unknown, since something was wrong on the way
    for name, value in request["inputs"].items():
        why = dialect.why_no(value)
        shapes[name] = None if why else shape_of(value)
        if why:
            yield Problem("matrix", f"{name!r} {why}")
    if not isinstance(request["steps"], list):
        yield Problem("step", "steps must be a list")
        return
    for step in request["steps"]:
        yield from _step_problems(step, shapes, dialect)
    if not isinstance(request["output"], str) or request["output"] not in shapes:
        yield Problem("name", f"the output {request['output']!r} is not defined")
        return
    shape = shapes[request["output"]]
    if shape is None:
        return
    if "upstream" in request:
        upstream = request["upstream"]
        if dialect.why_no(upstream) or shape_of(upstream) != shape:
            yield Problem("shape", f"the upstream gradient is not {shape}, as the output is")
    elif request["op"] in ("grad", "gradcheck") and not dialect.has_one(shape):
        yield Problem("output", f"{request['output']!r} is {shape}, not {dialect.one}")


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


def why_no_array(value: Any) -> str:
    """Empty for a number, or even lists of numbers in lists of any depth."""
    if not isinstance(value, list):
        is_number = type(value) in (int, float) and abs(value) <= sys.float_info.max
        return "" if is_number else f"has {value!r} where a finite number should be"
    if not value:
        return "has an empty list"
    whys = [why for item in value if (why := why_no_array(item))]
    if whys:
        return whys[0]
    shapes = {shape_of(item) for item in value}
    return "has lists of different lengths" if len(shapes) > 1 else ""


def _step_problems(
    step: Any, shapes: dict[str, Shape | None], dialect: Dialect
) -> Iterator[Problem]:
    if not isinstance(step, list) or len(step) < 2 or not all(isinstance(w, str) for w in step):
        yield Problem("step", f"{step!r} is not [name, operation, input names...]")
        if isinstance(step, list) and step and isinstance(step[0], str):
            shapes.setdefault(step[0], None)
        return
    name, operation, *operands = step
    is_sound = operation in dialect.arity and len(operands) == dialect.arity[operation]
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
    if is_sound and None not in known:
        shapes[name] = dialect.result_shape(operation, *known)  # type: ignore[arg-type]
        if shapes[name] is None:
            yield Problem("shape", f"{step!r}: {' and '.join(map(str, known))} do not fit")


DIALECTS = {
    # relu, transpose and softmax_cross_entropy are new requirements'.
    "tiny": Dialect(
        arity=dict.fromkeys(("matmul", "add", "sub", "mul", "softmax_cross_entropy"), 2)
        | dict.fromkeys(("tanh", "sum", "mean", "relu", "transpose"), 1),
        total=ONE_BY_ONE,
        why_no=why_no_matrix,
        has_one=lambda shape: shape == ONE_BY_ONE,
        one="1 by 1",
    ),
    # sub and mean are a new requirement's.
    "tensor": Dialect(
        arity={"matmul": 2, "add": 2, "sub": 2, "mul": 2, "relu": 1, "sum": 1, "mean": 1},
        total=(),
        why_no=why_no_array,
        has_one=lambda shape: math.prod(shape) == 1,
        one="of one element",
    ),
}


def evaluated(
    program: Program, inputs: Mapping[str, Value], operations: Mapping[str, Callable[..., Value]]
) -> Value:
    """The output, in whatever kind of value the operations work on."""
    values = {name: inputs[name] for name in program.inputs}
    for name, operation, operands in program.steps:
        values[name] = operations[operation](*(values[operand] for operand in operands))
    return values[program.output]
