"""A reverse-mode autograd engine on plain Python lists.

A request describes a straight-line program: named input matrices, then steps that each make one
new matrix. Every step stands after the steps it uses, so the program is its own tape: forward
walks it once, and backward walks it from the output to the front, where a step is met only once
everything that uses its result has reported. No sort, no recursion, and each rule runs once,
whatever the number of paths through it.

    >>> autograd({
    ...     "op": "grad",
    ...     "inputs": {"x": [[3.0]]},
    ...     "steps": [["y", "mul", "x", "x"]],
    ...     "output": "y",
    ... })
    {'value': 9.0, 'grads': {'x': [[6.0]]}}

Reading a program turns its names into positions and works out every shape. From then on a matrix
is one flat tuple of its entries, row by row: it cannot be written into, so gradients may share it,
and the kernels that walk over it have nothing left to check.
"""

from __future__ import annotations

import math
import operator
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product, repeat
from operator import mul as times
from typing import Any, NamedTuple, TypeAlias

Rows: TypeAlias = list[list[float]]  # a matrix as requests and answers have it
Matrix: TypeAlias = tuple[float, ...]
Shape: TypeAlias = tuple[int, int]
Kernel: TypeAlias = Callable[[Matrix], Matrix]
Sum: TypeAlias = Matrix | None  # of the gradients that have arrived so far, if any has
Rule: TypeAlias = Callable[[Matrix, Matrix, Matrix, Matrix, Sum], Matrix]

NUMBERS = (int, float)  # and not bool, which is an int
LARGEST = sys.float_info.max
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


class Plan(NamedTuple):
    """An operation on operands of given shapes, made once for all the steps that are like it.

    forward(a, b)                                  the result
    to_first(upstream, result, a, b, so_far)       so_far + what the first operand is given
    to_second(upstream, result, a, b, so_far)      so_far + what the second operand is given

    `upstream` is d output / d result. The two rules are the halves of the vector-Jacobian product;
    `so_far` is what later steps have given to that operand, or None. An operation on one operand
    gets it twice. One that `gathers` gives rows to its second operand: see `backward`.
    """

    shape: Shape
    forward: Callable[[Matrix, Matrix], Matrix]
    to_first: Rule
    to_second: Rule | None = None
    gathers: bool = False


class Tape(NamedTuple):
    """Of every step: its plan, and the positions of its operands."""

    plans: list[Plan]
    firsts: list[int]
    seconds: list[int]


class Program(NamedTuple):
    """Inputs take the positions 0, 1, ...; each step takes the next one."""

    inputs: dict[str, Matrix]
    shapes: list[Shape]
    tape: Tape
    output: int
    upstream: Matrix | None

    @property
    def size(self) -> Shape:
        """The output's."""
        return self.shapes[self.output]


def read_program(request: dict[str, Any]) -> Program:
    read = {name: read_matrix(name, rows) for name, rows in request["inputs"].items()}
    inputs = {name: matrix for name, (matrix, _) in read.items()}
    shapes = [shape for _, shape in read.values()]
    positions = {name: position for position, name in enumerate(inputs)}
    tape = read_steps(request["steps"], positions, shapes)
    output = request["output"]
    if not isinstance(output, str) or output not in positions:
        raise ValueError(f"the name {output!r} is not defined")
    upstream = None
    if request.get("upstream") is not None:
        upstream, shape = read_matrix("upstream", request["upstream"])
        wanted = shapes[positions[output]]
        if shape != wanted:
            raise ValueError(f"shape: the upstream gradient is {shape}, not {wanted}")
    return Program(inputs, shapes, tape, positions[output], upstream)


def read_matrix(name: str, rows: Any) -> tuple[Matrix, Shape]:
    """The entries as floats, so that whole numbers divide as numbers do."""
    if not isinstance(rows, list) or set(map(type, rows)) != {list}:
        raise ValueError(f"{name!r} is no matrix: it must be a non-empty list of rows")
    if not rows[0] or len(set(map(len, rows))) > 1:
        raise ValueError(f"{name!r} is no matrix: its rows must be non-empty and equally long")
    entries = [entry for row in rows for entry in row]
    for entry in entries:
        if type(entry) not in NUMBERS or not -LARGEST <= entry <= LARGEST:  # NaN compares false
            raise ValueError(f"{name!r} is no matrix of finite numbers: it holds {entry!r}")
    return tuple(map(float, entries)), (len(rows), len(rows[0]))


def read_steps(steps: list[Any], positions: dict[str, int], shapes: list[Shape]) -> Tape:
    """The tape; each step's name and shape are added to those known so far."""
    known = Plans()
    plans: list[Plan] = []
    firsts: list[int] = []
    seconds: list[int] = []
    for step in steps:
        try:
            match step:
                case [name, operation, first, second]:
                    a, b = positions[first], positions[second]
                    plan = known[operation, shapes[a], shapes[b]]
                case [name, operation, first]:
                    a = b = positions[first]
                    plan = known[operation, shapes[a]]
                case _:
                    raise complaint(step, positions)
            if type(name) is not str or name in positions:
                raise complaint(step, positions)
        except (KeyError, TypeError):
            raise complaint(step, positions) from None
        plans.append(plan)
        firsts.append(a)
        seconds.append(b)
        positions[name] = len(shapes)
        shapes.append(plan.shape)
    return Tape(plans, firsts, seconds)


class Plans(dict[tuple[Any, ...], Plan]):
    """By operation and shapes; one that is not there yet is made."""

    def __missing__(self, key: tuple[Any, ...]) -> Plan:
        operation, *shapes = key
        plan = self[key] = OPERATIONS[len(shapes)][operation](*shapes)
        return plan


def complaint(step: Any, positions: dict[str, int]) -> ValueError:
    """What is wrong with a step that cannot be read."""
    if not isinstance(step, list) or len(step) < 2 or set(map(type, step)) != {str}:
        return ValueError(f"step {step!r} is not of the form [name, operation, input names...]")
    name, operation, *operands = step
    arity = next((n for n, plans in OPERATIONS.items() if operation in plans), None)
    if arity is None:
        return ValueError(f"step {step!r}: unknown operation {operation!r}")
    if len(operands) != arity:
        return ValueError(f"step {step!r}: {operation} takes {arity} inputs, not {len(operands)}")
    if name in positions:
        return ValueError(f"{step!r} defines the name {name!r} a second time")
    unknown = [operand for operand in operands if operand not in positions]
    return ValueError(f"{step!r} uses an undefined name, {', '.join(map(repr, unknown))}")


# --- the three answers ---------------------------------------------------------------------------


def answer_value(program: Program) -> dict[str, Any]:
    return {"value": rounded(forward(program, program.inputs)[program.output], program.size)}


def answer_grad(program: Program) -> dict[str, Any]:
    values = forward(program, program.inputs)
    grads = backward(program, values)
    value = rounded(values[program.output], program.size)
    return {
        "value": value[0][0] if program.upstream is None else value,
        "grads": {
            name: rounded(grad, shape)
            for (name, grad), shape in zip(grads.items(), program.shapes, strict=False)
        },
    }


def answer_gradcheck(program: Program) -> dict[str, Any]:
    grads = backward(program, forward(program, program.inputs))
    differences = {
        name: [abs(entry - central_difference(program, name, at)) for at, entry in enumerate(grad)]
        for name, grad in grads.items()
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


def rounded(matrix: Matrix, shape: Shape) -> Rows:
    """In rows, to 6 decimals; adding 0.0 turns -0.0 into 0.0."""
    return [[round(entry, 6) + 0.0 for entry in row] for row in rows_of(matrix, shape[1])]


# --- forward, backward, and the numerical derivative ---------------------------------------------


def forward(program: Program, inputs: dict[str, Matrix]) -> list[Matrix]:
    """The matrix at every position."""
    values = list(inputs.values())
    for plan, a, b in zip(*program.tape, strict=True):
        values.append(plan.forward(values[a], values[b]))
    return values


def backward(program: Program, values: list[Matrix]) -> dict[str, Matrix]:
    """d output / d input for every input.

    A weight is often used by every layer, and each step `x @ w` gives it x^T @ upstream. Their sum
    is one product, of all those x over all those upstreams: so both are gathered on the way, row
    under row, and multiplied out once, when the walk arrives at w.
    """
    inputs, shapes, (plans, firsts, seconds), output, upstream = program
    if upstream is None and program.size != (1, 1):
        raise ValueError(f"the output must be 1 by 1, not {program.size}")
    grads: list[Sum] = [None] * len(values)
    grads[output] = upstream or (1.0,)
    gathered: dict[int, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))

    for position in range(output, len(inputs) - 1, -1):
        upstream, grads[position] = grads[position], None
        if position in gathered:
            upstream = multiplied_out(*gathered.pop(position), shapes[position], upstream)
        if upstream is None:  # the output does not depend on this step
            continue
        step = position - len(inputs)
        plan, a, b = plans[step], firsts[step], seconds[step]
        x, y, result = values[a], values[b], values[position]
        grads[a] = plan.to_first(upstream, result, x, y, grads[a])
        if plan.gathers:
            rows, upstreams = gathered[b]
            rows += x
            upstreams += upstream
        elif plan.to_second is not None:
            grads[b] = plan.to_second(upstream, result, x, y, grads[b])
    for position in range(len(inputs)):
        if position in gathered:
            grads[position] = multiplied_out(*gathered[position], shapes[position], grads[position])
    return {
        name: grad or (0.0,) * len(matrix)
        for (name, matrix), grad in zip(inputs.items(), grads, strict=False)
    }


def central_difference(program: Program, name: str, at: int) -> float:
    """d output / d this entry of an input from two probes, (f(x + h) - f(x - h)) / 2h."""
    matrix = program.inputs[name]
    step = PROBE * max(1.0, abs(matrix[at]))
    above, below = matrix[at] + step, matrix[at] - step
    probes = []
    for moved in (above, below):
        inputs = {**program.inputs, name: (*matrix[:at], moved, *matrix[at + 1 :])}
        output = forward(program, inputs)[program.output]
        probes.append(dot(program.upstream or (1.0,), output))
    return (probes[0] - probes[1]) / (above - below)


# --- matrices ------------------------------------------------------------------------------------


def rows_of(matrix: Matrix, columns: int) -> list[Matrix]:
    return [matrix[at : at + columns] for at in range(0, len(matrix), columns)]


def columns_of(matrix: Sequence[float], columns: int) -> list[Sequence[float]]:
    return [matrix[at::columns] for at in range(columns)]


def dot(u: Sequence[float], v: Sequence[float], so_far: float = 0.0) -> float:
    products: Iterator[float] = map(operator.mul, u, v)
    return sum(products, so_far)


def plus(so_far: Sum, piece: Matrix) -> Matrix:
    return piece if so_far is None else tuple(map(operator.add, so_far, piece))


def multiplied_out(rows: list[float], upstreams: list[float], shape: Shape, so_far: Sum) -> Matrix:
    """so_far + rows^T @ upstreams, of the given shape: every column of one with every other's."""
    pairs = product(columns_of(rows, shape[0]), columns_of(upstreams, shape[1]))
    start = so_far or repeat(0.0)
    return tuple([dot(u, v, entry) for (u, v), entry in zip(pairs, start, strict=False)])


# --- operations on two operands ------------------------------------------------------------------


def matmul(a: Shape, b: Shape) -> Plan:
    """Every row of x with every column of y; x is given upstream @ y^T, and y x^T @ upstream."""
    (n, m), (height, p) = a, b
    if m != height:
        raise ValueError(f"shape: cannot multiply {a} by {b}")
    columns = remembered(lambda y: columns_of(y, p))
    rows = remembered(lambda y: rows_of(y, p))
    zeros = (0.0,) * (n * m)

    def forward(x: Matrix, y: Matrix) -> Matrix:
        each = columns(y)
        if n == 1:
            return tuple([sum(map(times, x, column)) for column in each])
        return tuple([sum(map(times, row, column)) for row in rows_of(x, m) for column in each])

    def to_first(upstream: Matrix, result: Matrix, x: Matrix, y: Matrix, so_far: Sum) -> Matrix:
        if n == 1:
            each = zip(rows(y), so_far or zeros)
            return tuple([sum(map(times, upstream, row), entry) for row, entry in each])
        pairs = zip(product(rows_of(upstream, p), rows(y)), so_far or zeros)
        return tuple([sum(map(times, u, v), entry) for (u, v), entry in pairs])

    return Plan((n, p), forward, to_first, gathers=True)


def remembered(cut: Callable[[Matrix], Any]) -> Callable[[Matrix], Any]:
    """The same, for a matrix that comes again and again, as a weight does."""
    last: Matrix = ()
    pieces: Any = None

    def pieces_of(matrix: Matrix) -> Any:
        nonlocal last, pieces
        if matrix is not last:
            last, pieces = matrix, cut(matrix)
        return pieces

    return pieces_of


def stretching(plan_for: Callable[[Shape], Plan]) -> Callable[[Shape, Shape], Plan]:
    """An operation on two of one shape, for any two that stretch to one: axes of size 1 repeat."""

    def stretched(a: Shape, b: Shape) -> Plan:
        shape = broadcast_shape(a, b)
        plan = plan_for(shape)
        if a == b:
            return plan
        assert plan.to_second is not None
        stretch_x, collect_x = copies(a, shape)
        stretch_y, collect_y = copies(b, shape)
        to_x, to_y = plan.to_first, plan.to_second

        def forward(x: Matrix, y: Matrix) -> Matrix:
            return plan.forward(stretch_x(x), stretch_y(y))

        def to_first(upstream: Matrix, result: Matrix, x: Matrix, y: Matrix, so_far: Sum) -> Matrix:
            piece = to_x(upstream, result, stretch_x(x), stretch_y(y), None)
            return plus(so_far, collect_x(piece))

        def to_second(
            upstream: Matrix, result: Matrix, x: Matrix, y: Matrix, so_far: Sum
        ) -> Matrix:
            piece = to_y(upstream, result, stretch_x(x), stretch_y(y), None)
            return plus(so_far, collect_y(piece))

        return Plan(shape, forward, to_first, to_second)

    return stretched


def broadcast_shape(a: Shape, b: Shape) -> Shape:
    for m, n in zip(a, b, strict=True):
        if m != n and 1 not in (m, n):
            raise ValueError(f"shape: {a} and {b} do not fit, on each axis they must match or be 1")
    return max(a[0], b[0]), max(a[1], b[1])


def copies(operand: Shape, shape: Shape) -> tuple[Kernel, Kernel]:
    """What stretches an operand, and what collects its gradient again.

    An entry that was copied has an influence through each copy, so it collects from all of them.
    """
    if operand == shape:
        return unchanged, unchanged
    rows, columns = operand
    origin = [
        i % rows * columns + j % columns for i in range(shape[0]) for j in range(shape[1])
    ]  # of every entry of the result

    def collect(grad: Matrix) -> Matrix:
        collected = [0.0] * (rows * columns)
        for at, entry in zip(origin, grad, strict=True):
            collected[at] += entry
        return tuple(collected)

    return operator.itemgetter(*origin), collect


def unchanged(matrix: Matrix) -> Matrix:
    return matrix


def passed_on(upstream: Matrix, result: Matrix, x: Matrix, y: Matrix, so_far: Sum) -> Matrix:
    return upstream if so_far is None else plus(so_far, upstream)


@stretching
def add(shape: Shape) -> Plan:
    return Plan(
        shape,
        lambda x, y: tuple(map(operator.add, x, y)),
        passed_on,
        passed_on,
    )


@stretching
def sub(shape: Shape) -> Plan:
    return Plan(
        shape,
        lambda x, y: tuple(map(operator.sub, x, y)),
        passed_on,
        lambda upstream, result, x, y, so_far: plus(so_far, tuple(map(operator.neg, upstream))),
    )


@stretching
def mul(shape: Shape) -> Plan:
    return Plan(
        shape,
        lambda x, y: tuple(map(operator.mul, x, y)),
        lambda upstream, result, x, y, so_far: plus(so_far, tuple(map(operator.mul, upstream, y))),
        lambda upstream, result, x, y, so_far: plus(so_far, tuple(map(operator.mul, upstream, x))),
    )


def softmax_cross_entropy(logits: Shape, targets: Shape) -> Plan:
    """The mean over the rows of -sum(targets * log(softmax(logits))).

    d loss / dz = softmax(z) * sum(t) - t, and d loss / dt = -log(softmax(z)), row by row.
    """
    if logits != targets:
        raise ValueError(f"shape: {logits} logits and {targets} targets do not fit")
    rows, columns = logits

    def forward(z: Matrix, t: Matrix) -> Matrix:
        return (-dot(t, log_softmax(z, columns)) / rows,)

    def to_logits(upstream: Matrix, result: Matrix, z: Matrix, t: Matrix, so_far: Sum) -> Matrix:
        share = upstream[0] / rows
        weights = [weight for row in rows_of(t, columns) for weight in [sum(row)] * columns]
        each = zip(log_softmax(z, columns), weights, t, strict=True)
        return plus(so_far, tuple([share * (math.exp(log) * w - e) for log, w, e in each]))

    def to_targets(upstream: Matrix, result: Matrix, z: Matrix, t: Matrix, so_far: Sum) -> Matrix:
        share = upstream[0] / rows
        return plus(so_far, tuple([-share * log for log in log_softmax(z, columns)]))

    return Plan((1, 1), forward, to_logits, to_targets)


def log_softmax(logits: Matrix, columns: int) -> Matrix:
    """log(exp(z) / sum(exp(z))) in each row, the largest z taken out: nothing overflows."""
    logs: list[float] = []
    for row in rows_of(logits, columns):
        largest = max(row)
        log_total = largest + math.log(sum([math.exp(z - largest) for z in row]))
        logs += [z - log_total for z in row]
    return tuple(logs)


# --- operations on one operand -------------------------------------------------------------------


def tanh(shape: Shape) -> Plan:
    return Plan(
        shape,
        lambda x, _: tuple(map(math.tanh, x)),
        lambda upstream, result, x, _, so_far: plus(
            so_far, tuple([g * (1.0 - t * t) for g, t in zip(upstream, result)])
        ),
    )


def relu(shape: Shape) -> Plan:
    return Plan(
        shape,
        lambda x, _: tuple([max(0.0, entry) for entry in x]),
        lambda upstream, result, x, _, so_far: plus(
            so_far, tuple([g if entry > 0.0 else 0.0 for g, entry in zip(upstream, x)])
        ),
    )


def transpose(shape: Shape) -> Plan:
    rows, columns = shape
    return Plan(
        (columns, rows),
        lambda x, _: transposed(x, columns),
        lambda upstream, result, x, _, so_far: plus(so_far, transposed(upstream, rows)),
    )


def transposed(matrix: Matrix, columns: int) -> Matrix:
    return tuple(chain.from_iterable(columns_of(matrix, columns)))


def sum_of(shape: Shape) -> Plan:
    size = shape[0] * shape[1]
    return Plan(
        (1, 1),
        lambda x, _: (sum(x),),
        lambda upstream, result, x, _, so_far: plus(so_far, upstream * size),
    )


def mean_of(shape: Shape) -> Plan:
    size = shape[0] * shape[1]
    return Plan(
        (1, 1),
        lambda x, _: (sum(x) / size,),
        lambda upstream, result, x, _, so_far: plus(so_far, (upstream[0] / size,) * size),
    )


# By the number of operands.
OPERATIONS: dict[int, dict[str, Callable[..., Plan]]] = {
    1: {"tanh": tanh, "sum": sum_of, "mean": mean_of, "relu": relu, "transpose": transpose},
    2: {
        "matmul": matmul,
        "add": add,
        "sub": sub,
        "mul": mul,
        "softmax_cross_entropy": softmax_cross_entropy,
    },
}
