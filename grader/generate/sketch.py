"""A tiny program in the making: what its profiles draw with."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from grader.chance import below, shuffled
from grader.generate.draft import Draft, Profile
from grader.language import DIALECTS, Matrix

Size = tuple[int, int]

DIALECT = DIALECTS["tiny"]
SIZES = (2, 3, 4)


def number(draw: Random) -> float:
    """Of two decimals, and of either sign. No 0 and no 1: these hide what is multiplied by them."""
    size = (15 + below(draw, 70)) / 100 if draw.random() < 0.5 else (115 + below(draw, 135)) / 100
    return size if draw.random() < 0.5 else -size


def matrix(draw: Random, rows: int, columns: int) -> Matrix:
    return [[number(draw) for _ in range(columns)] for _ in range(rows)]


def profiles(*drafts: Callable[[Random], Draft]) -> dict[str, Profile]:
    """Each draws such a program again and again, and is named after the function."""
    return {draft.__name__: _endless(draft) for draft in drafts}


def _endless(draft: Callable[[Random], Draft]) -> Profile:
    def profile(draw: Random) -> Iterator[Draft]:
        while True:
            yield draft(draw)

    profile.__doc__ = draft.__doc__
    return profile


class Sketch:
    """Inputs and steps so far. Each method adds to them and gives back the name of what is new.

    `names` is where names come from; x1, x2, ... and s1, s2, ... unless told otherwise.
    """

    def __init__(self, draw: Random, names: Sequence[str] = ()) -> None:
        self.draw = draw
        self.inputs: dict[str, Any] = {}
        self.steps: list[Any] = []
        self.sizes: dict[str, Size] = {}
        self.names = iter(names)

    def leaf(self, rows: int, columns: int, part: int = 1) -> str:
        """An input of any numbers; of a part of them, where they go through a tanh."""
        entries = matrix(self.draw, rows, columns)
        return self.given([[entry / part for entry in row] for row in entries])

    def given(self, rows: Matrix) -> str:
        name = next(self.names, f"x{len(self.inputs) + 1}")
        self.inputs[name] = rows
        self.sizes[name] = (len(rows), len(rows[0]))
        return name

    def step(self, operation: str, *operands: str) -> str:
        name = next(self.names, f"s{len(self.steps) + 1}")
        self.steps.append([name, operation, *operands])
        size = DIALECT.result_shape(operation, *(self.sizes[operand] for operand in operands))
        assert size is not None, f"{operation} of operands that do not fit"
        self.sizes[name] = (size[0], size[1])
        return name

    def add(self, a: str, b: str) -> str:
        return self.step("add", a, b)

    def sub(self, a: str, b: str) -> str:
        return self.step("sub", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.step("mul", a, b)

    def matmul(self, a: str, b: str) -> str:
        return self.step("matmul", a, b)

    def tanh(self, a: str) -> str:
        return self.step("tanh", a)

    def sum(self, a: str) -> str:
        return self.step("sum", a)

    def mean(self, a: str) -> str:
        return self.step("mean", a)

    def either(self, operation: str, a: str, b: str) -> str:
        """The operands in an order that is drawn."""
        return self.step(operation, *shuffled(self.draw, (a, b)))

    def weighed(self, name: str) -> str:
        """The entries, each with a weight of its own, in one: no upstream is all ones."""
        rows, columns = self.sizes[name]
        if self.draw.random() < 0.3:
            left = self.matmul(self.leaf(1, rows), name)
            return self.matmul(left, self.leaf(columns, 1))
        product = self.either("mul", name, self.leaf(rows, columns))
        return self.sum(product) if self.draw.random() < 0.7 else self.mean(product)

    def request(self, op: str, output: str) -> dict[str, Any]:
        return {"op": op, "inputs": self.inputs, "steps": self.steps, "output": output}

    def value(self, output: str) -> Draft:
        return Draft(self.request("value", output))

    def grad(self, output: str) -> Draft:
        return Draft(self.request("grad", output))

    def weighed_grad(self, name: str) -> Draft:
        return self.grad(self.weighed(name))

    def gradcheck(self, output: str) -> Draft:
        return Draft(self.request("gradcheck", output))

    def refused(self, word: str, op: str, output: str) -> Draft:
        return Draft(self.request(op, output), raises=word)
