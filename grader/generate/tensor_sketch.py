"""A tensor program in the making: what its profiles draw with."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from grader.arrays import Array, Shape, nested
from grader.chance import shuffled
from grader.generate.draft import Draft
from grader.language import DIALECTS

# Exact in binary, so a relu at 0 is at 0 for whoever computes it. No 0, no 1 and no -1: these hide
# what is multiplied with them.
QUARTERS = tuple(n / 4 for n in range(-12, 13) if n not in (-4, 0, 4))
DIALECT = DIALECTS["tensor"]
SIZES = (2, 3, 4)
SIZES_OF_FOUR = (2, 3, 2, 2)  # a block of rank 4 is to stay small


def sizes(draw: Random, rank: int) -> Shape:
    """A shape without axes of size 1, and up to rank 3 with no size twice."""
    return tuple(shuffled(draw, SIZES_OF_FOUR if rank == 4 else SIZES)[:rank])


def quarters(draw: Random, count: int) -> list[float]:
    """No number comes twice before all have come."""
    found: list[float] = []
    while len(found) < count:
        found += shuffled(draw, QUARTERS)
    return found[:count]


class Sketch:
    """Inputs and steps so far. Each method adds to them and gives back the name of what is new."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.inputs: dict[str, Any] = {}
        self.steps: list[list[str]] = []
        self.shapes: dict[str, Shape | None] = {}

    def leaf(self, *shape: int) -> str:
        """An input of quarters."""
        return self.given(shape, quarters(self.draw, math.prod(shape)))

    def given(self, shape: Shape, entries: Sequence[float]) -> str:
        """An input with these entries, in row-major order."""
        name = f"x{len(self.inputs) + 1}"
        self.inputs[name] = nested(Array(shape, list(entries)))
        self.shapes[name] = shape
        return name

    def step(self, operation: str, *operands: str) -> str:
        name = f"s{len(self.steps) + 1}"
        known = [self.shapes[operand] for operand in operands]
        self.steps.append([name, operation, *operands])
        # None: the operands do not fit, which is then what the program is about
        self.shapes[name] = None
        if None not in known:
            self.shapes[name] = DIALECT.result_shape(operation, *known)  # type: ignore[arg-type]
        return name

    def add(self, a: str, b: str) -> str:
        return self.step("add", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.step("mul", a, b)

    def matmul(self, a: str, b: str) -> str:
        return self.step("matmul", a, b)

    def relu(self, a: str) -> str:
        return self.step("relu", a)

    def sum(self, a: str) -> str:
        return self.step("sum", a)

    def either(self, operation: str, a: str, b: str) -> str:
        """The operands in an order that is drawn."""
        return self.step(operation, *shuffled(self.draw, (a, b)))

    def weighed(self, name: str) -> str:
        """The sum of a result's entries, each with a weight of its own: no upstream is all ones."""
        weights = self.leaf(*self.shape(name))
        return self.sum(self.either("mul", name, weights))

    def shape(self, name: str) -> Shape:
        shape = self.shapes[name]
        assert shape is not None, "only a program that is in order goes on"
        return shape

    def request(self, op: str, output: str) -> dict[str, Any]:
        return {"op": op, "inputs": self.inputs, "steps": self.steps, "output": output}

    def grad(self, output: str) -> Draft:
        return Draft(self.request("grad", output))

    def weighed_grad(self, name: str) -> Draft:
        return self.grad(self.weighed(name))

    def value(self, output: str) -> Draft:
        return Draft(self.request("value", output))

    def gradcheck(self, output: str) -> Draft:
        return Draft(self.request("gradcheck", output))
