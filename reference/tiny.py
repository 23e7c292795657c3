"""A reverse-mode autograd engine on plain Python lists.

A request describes a straight-line program: named input matrices, then steps that each make one
new matrix. Every step stands after the steps it uses, so the list of steps already is a
topological order, and backward needs no sort and no recursion: walked from the output to the
front, a step is met only once everything that uses its result has reported. Each step's rule runs
once, whatever the number of paths through it.

    >>> autograd({
    ...     "op": "grad",
    ...     "inputs": {"x": [[3.0]]},
    ...     "steps": [["y", "mul", "x", "x"]],
    ...     "output": "y",
    ... })
    {'value': 9.0, 'grads': {'x': [[6.0]]}}
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

Matrix = list[list[float]]
Shape = tuple[int, int]

PROBE = 1e-5  # relative step of the numerical derivative: truncation and rounding are both ~1e-10
AGREES_WITHIN = 1e-5


def autograd(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request, {op, inputs, steps, output}; the request is left as it was.

    value      {"value": matrix}
    grad       {"value": number, "grads": {input: matrix of the input's shape}}
    gradcheck  {"passed": bool, "errors": {input: largest |backward - central difference|}}

    A request may have an `upstream` gradient of the output's shape; the output may then have any
    shape, and its value is a matrix.

    Raises ValueError naming what is wrong: op, matrix, step, name, shape or output.
    """
    op = request.get("op")
    if not isinstance(op, str) or op not in ANSWERS:
        raise ValueError(f"unknown op {op!r}: expected one of {', '.join(ANSWERS)}")
    return ANSWERS[op](read_program(request))


# --- the program ---------------------------------------------------------------------------------


class Step(NamedTuple):
    """One operation on earlier matrices, which are known by their positions in the program."""

    operation: Operation
    operands: list[int]


class Program:
    """Inputs take the positions 0, 1, ...; each step takes the next one."""

    def __init__(
        self, inputs: dict[str, Matrix], steps: list[Step], output: int, upstream: Matrix | None
    ) -> None:
        self.inputs = inputs
        self.steps = steps
        self.output = output
        self.upstream = upstream


def read_program(request: dict[str, Any]) -> Program:
    inputs = {name: read_matrix(name, rows) for name, rows in request["inputs"].items()}
    position = {name: index for index, name in enumerate(inputs)}
    steps = []
    for written in request["steps"]:
        name, operation, *operands = read_step(written)
        try:
            step = Step(OPERATIONS[operation], [position[operand] for operand in operands])
        except KeyError as unknown:
            raise ValueError(f"{written!r} uses an undefined name, {unknown}") from None
        if name in position:
            raise ValueError(f"{written!r} defines the name {name!r} a second time")
        steps.append(step)
        position[name] = len(position)
    output = request["output"]
    if not isinstance(output, str) or output not in position:
        raise ValueError(f"the name {output!r} is not defined")
    upstream = request.get("upstream")
    if upstream is not None:
        upstream = read_matrix("upstream", upstream)
    return Program(inputs, steps, position[output], upstream)


def read_matrix(name: str, rows: Any) -> Matrix:
    """A copy of `rows` in floats, so that whole numbers divide as numbers do."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise ValueError(f"{name!r} is no matrix: it must be a non-empty list of rows")
    if not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"{name!r} is no matrix: its rows must be non-empty and equally long")
    for entry in (entry for row in rows for entry in row):
        is_number = isinstance(entry, int | float) and not isinstance(entry, bool)
        if not is_number or not abs(entry) <= sys.float_info.max:  # NaN compares false
            raise ValueError(f"{name!r} is no matrix of finite numbers: it holds {entry!r}")
    return [[float(entry) for entry in row] for row in rows]


def read_step(written: Any) -> list[str]:
    """The step itself, of words, with a known operation and as many inputs as that takes."""
    if not isinstance(written, list) or len(written) < 2 or set(map(type, written)) != {str}:
        raise ValueError(f"step {written!r} is not of the form [name, operation, input names...]")
    operation, inputs = written[1], len(written) - 2
    if operation not in OPERATIONS:
        raise ValueError(f"step {written!r}: unknown operation {operation!r}")
    if inputs != OPERATIONS[operation].arity:
        arity = OPERATIONS[operation].arity
        raise ValueError(f"step {written!r}: {operation} takes {arity} inputs, not {inputs}")
    return written


# --- the three answers ---------------------------------------------------------------------------


def answer_value(program: Program) -> dict[str, Any]:
    return {"value": rounded(forward(program, program.inputs)[program.output])}


def answer_grad(program: Program) -> dict[str, Any]:
    values = forward(program, program.inputs)
    grads = backward(program, values)
    value = rounded(values[program.output])
    return {
        "value": value[0][0] if program.upstream is None else value,
        "grads": {name: rounded(grad) for name, grad in grads.items()},
    }


def answer_gradcheck(program: Program) -> dict[str, Any]:
    grads = backward(program, forward(program, program.inputs))
    differences = {
        name: [
            abs(grads[name][i][j] - central_difference(program, name, i, j))
            for i, row in enumerate(matrix)
            for j in range(len(row))
        ]
        for name, matrix in program.inputs.items()
    }
    return {
        # NaN is under nothing, so it never passes.
        "passed": all(d < AGREES_WITHIN for ds in differences.values() for d in ds),
        "errors": {name: round(max(ds), 4) for name, ds in differences.items()},
    }


ANSWERS: dict[str, Callable[[Program], dict[str, Any]]] = {
    "value": answer_value,
    "grad": answer_grad,
    "gradcheck": answer_gradcheck,
}


def rounded(matrix: Matrix) -> Matrix:
    """To 6 decimals; adding 0.0 turns -0.0 into 0.0."""
    return [[round(entry, 6) + 0.0 for entry in row] for row in matrix]


# --- forward, backward, and the numerical derivative ---------------------------------------------


def forward(program: Program, inputs: dict[str, Matrix]) -> list[Matrix]:
    """The matrix at every position."""
    values = list(inputs.values())
    for step in program.steps:
        operands = [values[position] for position in step.operands]
        values.append(step.operation.forward(*operands))
    return values


def backward(program: Program, values: list[Matrix]) -> dict[str, Matrix]:
    """d output / d input for every input, in the input's shape."""
    size = shape(values[program.output])
    if program.upstream is None and size != (1, 1):
        raise ValueError(f"the output must be 1 by 1, not {size}")
    if program.upstream is not None and size != shape(program.upstream):
        raise ValueError(f"shape: the upstream gradient is {shape(program.upstream)}, not {size}")
    grads: list[Matrix | None] = [None] * len(values)
    grads[program.output] = program.upstream or [[1.0]]
    for position in range(program.output, len(program.inputs) - 1, -1):
        upstream, grads[position] = grads[position], None
        if upstream is None:  # the output does not depend on this step
            continue
        step = program.steps[position - len(program.inputs)]
        operands = [values[operand] for operand in step.operands]
        pieces = step.operation.vjp(upstream, values[position], *operands)
        for operand, piece in zip(step.operands, pieces, strict=True):
            so_far = grads[operand]
            # A sum is a new matrix: pieces may be shared, so nothing is ever added in place.
            grads[operand] = piece if so_far is None else add(so_far, piece)
    return {
        name: grad if grad is not None else full(shape(matrix), 0.0)
        for (name, matrix), grad in zip(program.inputs.items(), grads, strict=False)
    }


def central_difference(program: Program, name: str, i: int, j: int) -> float:
    """d output / d inputs[name][i][j] from two probes, (f(x + h) - f(x - h)) / 2h."""
    x = program.inputs[name][i][j]
    step = PROBE * max(1.0, abs(x))
    above, below = x + step, x - step
    probes = []
    for moved in (above, below):
        matrix = [list(row) for row in program.inputs[name]]
        matrix[i][j] = moved
        output = forward(program, {**program.inputs, name: matrix})[program.output]
        probes.append(total(mul(program.upstream or [[1.0]], output)))
    return (probes[0] - probes[1]) / (above - below)


# --- matrices ------------------------------------------------------------------------------------


def shape(matrix: Matrix) -> Shape:
    return len(matrix), len(matrix[0])


def full(size: Shape, entry: float) -> Matrix:
    rows, columns = size
    return [[entry] * columns for _ in range(rows)]


def transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    if len(a[0]) != len(b):
        raise ValueError(f"shape: cannot multiply {shape(a)} by {shape(b)}")
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def dot(u: list[float], v: list[float]) -> float:
    products: Iterator[float] = map(operator.mul, u, v)
    return sum(products)


def total(matrix: Matrix) -> float:
    return sum(map(sum, matrix))


def elementwise(function: Callable[[float, float], float], a: Matrix, b: Matrix) -> Matrix:
    """function(a, b) entry by entry; an axis of size 1 is stretched to the other's size."""
    if len(a) != len(b) or len(a[0]) != len(b[0]):
        size = broadcast_shape(shape(a), shape(b))
        a, b = stretched(a, size), stretched(b, size)
    return [list(map(function, row, other)) for row, other in zip(a, b, strict=True)]


def broadcast_shape(a: Shape, b: Shape) -> Shape:
    for m, n in zip(a, b, strict=True):
        if m != n and 1 not in (m, n):
            raise ValueError(f"shape: {a} and {b} do not fit, on each axis they must match or be 1")
    return max(a[0], b[0]), max(a[1], b[1])


def stretched(matrix: Matrix, size: Shape) -> Matrix:
    rows, columns = size
    wide = matrix if len(matrix[0]) == columns else [row * columns for row in matrix]
    return wide if len(wide) == rows else wide * rows


add = partial(elementwise, operator.add)
sub = partial(elementwise, operator.sub)
mul = partial(elementwise, operator.mul)


def unbroadcast(grad: Matrix, operand: Matrix) -> Matrix:
    """Give the gradient of a stretched operand the operand's own shape.

    Each entry was used all along the stretched axis, so it collects the sum over that axis.
    """
    if len(grad) != len(operand):
        grad = [[sum(column) for column in zip(*grad, strict=True)]]
    if len(grad[0]) != len(operand[0]):
        grad = [[sum(row)] for row in grad]
    return grad


# --- the operations: forward, and the vector-Jacobian product ------------------------------------
# vjp(upstream, result, *operands) gives one gradient an operand, in that operand's shape; upstream
# is d output / d result, in the result's shape.


def add_vjp(upstream: Matrix, result: Matrix, a: Matrix, b: Matrix) -> tuple[Matrix, ...]:
    return unbroadcast(upstream, a), unbroadcast(upstream, b)


def sub_vjp(upstream: Matrix, result: Matrix, a: Matrix, b: Matrix) -> tuple[Matrix, ...]:
    negative = [list(map(operator.neg, row)) for row in upstream]
    return unbroadcast(upstream, a), unbroadcast(negative, b)


def mul_vjp(upstream: Matrix, result: Matrix, a: Matrix, b: Matrix) -> tuple[Matrix, ...]:
    return unbroadcast(mul(upstream, b), a), unbroadcast(mul(upstream, a), b)


def matmul_vjp(upstream: Matrix, result: Matrix, a: Matrix, b: Matrix) -> tuple[Matrix, ...]:
    return matmul(upstream, transposed(b)), matmul(transposed(a), upstream)


def tanh(x: Matrix) -> Matrix:
    return [list(map(math.tanh, row)) for row in x]


def tanh_vjp(upstream: Matrix, result: Matrix, x: Matrix) -> tuple[Matrix, ...]:
    return (elementwise(lambda g, t: g * (1.0 - t * t), upstream, result),)


def sum_vjp(upstream: Matrix, result: Matrix, x: Matrix) -> tuple[Matrix, ...]:
    return (full(shape(x), upstream[0][0]),)


def mean(x: Matrix) -> Matrix:
    return [[total(x) / (len(x) * len(x[0]))]]


def mean_vjp(upstream: Matrix, result: Matrix, x: Matrix) -> tuple[Matrix, ...]:
    return (full(shape(x), upstream[0][0] / (len(x) * len(x[0]))),)


def relu(x: Matrix) -> Matrix:
    return [[max(0.0, entry) for entry in row] for row in x]


def relu_vjp(upstream: Matrix, result: Matrix, x: Matrix) -> tuple[Matrix, ...]:
    return (elementwise(lambda g, entry: g if entry > 0.0 else 0.0, upstream, x),)


def transpose_vjp(upstream: Matrix, result: Matrix, x: Matrix) -> tuple[Matrix, ...]:
    return (transposed(upstream),)


def log_softmax(logits: list[float]) -> list[float]:
    """log(exp(z) / sum(exp(z))), with the largest z taken out first, so that nothing overflows."""
    largest = max(logits)
    log_total = largest + math.log(sum(math.exp(z - largest) for z in logits))
    return [z - log_total for z in logits]


def softmax_cross_entropy(logits: Matrix, targets: Matrix) -> Matrix:
    """The mean over the rows of -sum(targets * log(softmax(logits)))."""
    if shape(logits) != shape(targets):
        raise ValueError(f"shape: {shape(logits)} logits and {shape(targets)} targets do not fit")
    losses = [-dot(t, log_softmax(z)) for z, t in zip(logits, targets, strict=True)]
    return [[sum(losses) / len(losses)]]


def softmax_cross_entropy_vjp(
    upstream: Matrix, result: Matrix, logits: Matrix, targets: Matrix
) -> tuple[Matrix, ...]:
    """d loss / dz = softmax(z) * sum(t) - t, and d loss / dt = -log(softmax(z)), row by row."""
    share = upstream[0][0] / len(logits)
    logs = [log_softmax(row) for row in logits]
    to_logits = [
        [share * (math.exp(log) * sum(t) - entry) for log, entry in zip(row, t, strict=True)]
        for row, t in zip(logs, targets, strict=True)
    ]
    return to_logits, [[-share * log for log in row] for row in logs]


class Operation:
    def __init__(
        self, arity: int, forward: Callable[..., Matrix], vjp: Callable[..., tuple[Matrix, ...]]
    ) -> None:
        self.arity = arity
        self.forward = forward
        self.vjp = vjp


OPERATIONS = {
    "matmul": Operation(2, matmul, matmul_vjp),
    "add": Operation(2, add, add_vjp),
    "sub": Operation(2, sub, sub_vjp),
    "mul": Operation(2, mul, mul_vjp),
    "tanh": Operation(1, tanh, tanh_vjp),
    "sum": Operation(1, lambda x: [[total(x)]], sum_vjp),
    "mean": Operation(1, mean, mean_vjp),
    "relu": Operation(1, relu, relu_vjp),
    "transpose": Operation(1, transposed, transpose_vjp),
    "softmax_cross_entropy": Operation(2, softmax_cross_entropy, softmax_cross_entropy_vjp),
}
