"""Profiles of the tiny exercise in which the engine checks itself, where a sloppy check fails."""

from random import Random
from typing import Any

from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import Sketch, number, profiles


def check_of_a_bend(draw: Random) -> Draft:
    """a difference to one side only, or of two probes in one matrix, is off by the curvature"""
    sketch = Sketch(draw)
    n = 1 + below(draw, 2)
    x, k = sketch.leaf(n, 2), sketch.given([[_size(draw, 6, 9) for _ in range(2)]] * n)
    bend = sketch.mul(sketch.mul(sketch.mul(x, x), k), k)
    return sketch.gradcheck(sketch.step(one_of(draw, ("sum", "mean")), bend))


def check_of_a_steep_tanh(draw: Random) -> Draft:
    """a slope that changes this fast needs a short step, and values with all their digits"""
    sketch = Sketch(draw)
    x = sketch.given([[number(draw) / 8 for _ in range(2)] for _ in range(1 + below(draw, 2))])
    k = sketch.given([[_size(draw, 3, 5)]])
    t = sketch.tanh(sketch.matmul(x, sketch.given([[_size(draw, 1, 2)], [_size(draw, -2, 1)]])))
    y = sketch.tanh(sketch.mul(sketch.sum(sketch.mul(t, t)), k))
    return sketch.gradcheck(y)


def check_of_a_squared_error(draw: Random) -> Draft:
    """the loss is nudged and not what goes into it, in every input, whole numbers or not"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 2))
    product = sketch.matmul(sketch.leaf(n, m), sketch.leaf(m, p, part=4))
    targets: list[list[float]] = [[below(draw, 3) - 1 for _ in range(p)] for _ in range(n)]
    error = sketch.either("sub", sketch.tanh(product), sketch.given(targets))
    mean = sketch.mean(sketch.mul(error, error))
    if draw.random() < 0.5:
        sketch.tanh(sketch.mul(mean, mean))
    return sketch.gradcheck(mean)


def check_without_steps(draw: Random) -> Draft:
    """both probes have a matrix of their own, and an input that does not count has no slope"""
    sketch = Sketch(draw)
    sketch.leaf(1, 3)
    x = sketch.leaf(1, 1)
    sketch.leaf(2, 1)
    if draw.random() < 0.5:
        sketch.mul(x, x)
    sketch.inputs = dict(shuffled(draw, list(sketch.inputs.items())))
    return sketch.gradcheck(x)


def check_far_from_zero(draw: Random) -> Draft:
    """next to numbers in the tens of thousands a very short step drowns in their rounding"""
    sketch = Sketch(draw)
    rows = [[number(draw) + 20_000 + below(draw, 10_000) for _ in range(2)] for _ in range(2)]
    product = sketch.mul(sketch.given(rows), sketch.leaf(2, 2))
    return sketch.gradcheck(sketch.sum(product))


def check_after_a_check(draw: Random) -> Draft:
    """the errors of an earlier check, of inputs with other names, are not in the answer"""
    earlier = _check_of("a", "b", draw)
    request = _check_of(*one_of(draw, (("x", "k"), ("b", "c"), ("k", "a"))), draw)
    first: tuple[dict[str, Any], ...] = (earlier, {**earlier, "op": "grad"})
    return Draft(request, first=first[: 1 + below(draw, 2)])


def _check_of(first: str, second: str, draw: Random) -> dict[str, Any]:
    sketch = Sketch(draw, (first, second, "p", "y"))
    product = sketch.mul(sketch.leaf(1, 2), sketch.leaf(1, 2))
    return sketch.request("gradcheck", sketch.sum(product))


def _size(draw: Random, least: int, most: int) -> float:
    """Between the two, of two decimals."""
    return (100 * least + below(draw, 100 * (most - least))) / 100


CHECKS = profiles(
    check_of_a_bend,
    check_of_a_steep_tanh,
    check_of_a_squared_error,
    check_without_steps,
    check_far_from_zero,
    check_after_a_check,
)
