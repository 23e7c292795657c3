"""What the right answer is, from sources that share no code with the reference.

Torch's own autograd (float64) gives the numbers of a fixture; central differences of the plain
forward pass below confirm them, and so does the reference.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from grader import arrays, language
from grader.arrays import Array, array, flat, inner_product, nested
from grader.kit.compare import differences_between
from grader.language import Nested, Program

DECIMALS = 6
CHECK_DECIMALS = 4
CHECK_LIMIT = 1e-5
# A deep program bends so sharply that a longer step misses its slope; a shallow one is so straight
# that a shorter step loses it in rounding. Agreement at either is agreement.
STEPS = (1e-5, 1e-7)
# Above this many steps x probes the entries are probed together, along random directions.
MOST_WORK = 200_000
DIRECTIONS = 2
Ways = dict[str, list[float]]  # a direction: for each input that moves, by how much each entry does

AGREEMENT = 1e-5  # of a central difference with a gradient, relative to their size and at least 1


class Differentiator(Protocol):
    """A library behind the request language: it evaluates and differentiates, nothing else."""

    def value(self, program: Program) -> Nested:
        """The output."""

    def gradients(self, program: Program) -> dict[str, Nested]:
        """d output / d input for every input, in the input's shape.

        The output has one element, or is weighted with the program's upstream gradient.
        """


def answer(
    request: dict[str, Any], library: Differentiator, exercise: str = "tiny"
) -> dict[str, Any]:
    """What `autograd(request)` must return, computed by `library`. Raises ValueError as it must."""
    program = language.read(request, exercise)
    if program.op == "value":
        return {"value": rounded(library.value(program))}
    if program.op == "grad":
        value = rounded(library.value(program))
        return {
            "value": value if program.upstream is not None else flat(value)[0],
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


def rounded(value: Nested) -> Nested:
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, DECIMALS) + 0.0


def unconfirmed(
    program: Program, result: dict[str, Any], most_work: int = MOST_WORK
) -> Iterator[str]:
    """In which ways an answer to value or grad is not what the plain forward pass says."""
    value = rounded(evaluate(program, program.inputs))
    if program.op == "grad" and program.upstream is None:
        value = flat(value)[0]
    if any(differences_between(result["value"], value)):
        yield f"the plain forward pass gives {value}, not {result['value']}"
    if program.op == "grad" and (why := disagreement(program, result["grads"], most_work)):
        yield why


# --- central differences -------------------------------------------------------------------------


def disagreement(program: Program, grads: dict[str, Nested], most_work: int | None = None) -> str:
    """Where gradients and central differences part, in words; empty if nowhere."""
    entries = sum(len(flat(value)) for value in program.inputs.values())
    most_work = MOST_WORK if most_work is None else most_work
    if 2 * entries * len(program.steps) > most_work:
        return _disagreement_along_directions(program, grads)
    probes = Probes(program)
    for name, grad in grads.items():
        for index, (got, way) in enumerate(zip(flat(grad), probes.units(name), strict=True)):
            if not _agrees(probes, way, got, near=AGREEMENT * max(1.0, abs(got))):
                probe = probes.directional(way)
                return f"gradient of {name}, entry {index}: {got!r}, by differences {probe!r}"
    return ""


def _disagreement_along_directions(program: Program, grads: dict[str, Nested]) -> str:
    import random  # not before it is needed: grading never is

    draw = random.Random(0)  # noqa: S311
    probes = Probes(program)
    for _ in range(DIRECTIONS):
        ways = {
            name: [draw.uniform(-1, 1) for _ in start.entries]
            for name, start in probes.start.items()
        }
        terms = [
            g * w for n, grad in grads.items() for g, w in zip(flat(grad), ways[n], strict=True)
        ]
        got, near = math.fsum(terms), AGREEMENT * max(1.0, sum(map(abs, terms)))
        if not _agrees(probes, ways, got, near):
            probe = probes.directional(ways)
            return f"along a direction the gradients give {got!r}, differences {probe!r}"
    return ""


def _agrees(probes: "Probes", ways: Ways, got: float, near: float) -> bool:
    return math.isfinite(got) and any(
        abs(got - probes.directional(ways, step)) <= near for step in STEPS
    )


def differences(program: Program, name: str) -> Iterator[float]:
    """d output / d every entry of one input, in order."""
    probes = Probes(program)
    return (probes.directional(ways) for ways in probes.units(name))


class Probes:
    """Values of the output near a program's inputs.

    A relu keeps the branch that it takes at the inputs themselves: no kink lies within a step, and
    at 0 it is flat, by convention.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.start = {name: array(value) for name, value in program.inputs.items()}
        self.weights = None if program.upstream is None else flat(program.upstream)
        self.branches = Branches()
        run(program, self.start, self.branches)
        self.branches.are_taken = True

    def units(self, name: str) -> Iterator[Ways]:
        """For every entry of an input, the direction that moves it and nothing else."""
        for at in range(len(self.start[name].entries)):
            way = [0.0] * len(self.start[name].entries)
            way[at] = 1.0
            yield {name: way}

    def directional(self, ways: Ways, step: float = STEPS[0]) -> float:
        """The derivative of the output along a direction.

        Two central differences, of steps h and 2h, combined so that the error of order h^2 cancels
        (Richardson extrapolation); what is left is of order h^4, and rounding. `step` is relative
        to the largest entry that moves, where that is above 1.
        """
        moving = [
            abs(entry)
            for name, way in ways.items()
            for entry, by in zip(self.start[name].entries, way, strict=True)
            if by
        ]
        h = step * max([1.0, *moving])

        def central(by: float) -> float:
            return (self.output(ways, by) - self.output(ways, -by)) / (2 * by)

        return (4 * central(h) - central(2 * h)) / 3

    def output(self, ways: Ways, step: float) -> float:
        """At the inputs moved so far along a direction, weighted with the upstream gradient."""
        moved = {
            name: Array(
                start.shape,
                [x + step * w for x, w in zip(start.entries, ways[name], strict=True)],
            )
            if name in ways
            else start
            for name, start in self.start.items()
        }
        self.branches.at = 0
        entries = run(self.program, moved, self.branches).entries
        return entries[0] if self.weights is None else inner_product(entries, self.weights)


# --- the plain forward pass ----------------------------------------------------------------------


def evaluate(program: Program, inputs: dict[str, Nested]) -> Nested:
    """The output, by the definitions of the operations."""
    return nested(run(program, {name: array(value) for name, value in inputs.items()}, Branches()))


class Branches:
    """Which entries each relu lets through: noted in the first run, then kept."""

    def __init__(self) -> None:
        self.taken: list[list[bool]] = []
        self.are_taken = False
        self.at = 0

    def relu(self, x: Array) -> Array:
        if not self.are_taken:
            self.taken.append([entry > 0 for entry in x.entries])
        self.at += 1
        taken = self.taken[self.at - 1]
        return Array(x.shape, [e if on else 0.0 for e, on in zip(x.entries, taken, strict=True)])


def run(program: Program, inputs: dict[str, Array], branches: Branches) -> Array:
    operations = {**FORWARD, **TOTALS[program.exercise], "relu": branches.relu}
    return language.evaluated(program, inputs, operations)


FORWARD: dict[str, Callable[..., Array]] = {
    "matmul": arrays.matmul,
    "add": arrays.add,
    "sub": arrays.sub,
    "mul": arrays.mul,
    "tanh": lambda a: arrays.map_entries(math.tanh, a),
    "transpose": arrays.transpose,
}


def _totals(shape: arrays.Shape) -> dict[str, Callable[..., Array]]:
    return {
        "softmax_cross_entropy": lambda a, b: Array(shape, [arrays.softmax_cross_entropy(a, b)]),
        "sum": lambda a: Array(shape, [math.fsum(a.entries)]),
        "mean": lambda a: Array(shape, [math.fsum(a.entries) / len(a.entries)]),
    }


TOTALS = {name: _totals(dialect.total) for name, dialect in language.DIALECTS.items()}
