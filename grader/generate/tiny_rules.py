"""Profiles of the tiny exercise about values, local rules, sharing, and one call after another."""

from random import Random
from typing import Any

from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import Sketch, matrix, number, profiles

# In the order in which they are given out: whoever sorts them, or looks them up elsewhere than in a
# table of their own, comes out somewhere else.
ODD_NAMES = (
    ("x", "x_grad", "grad_x", "dx"),
    ("x10", "x9", "X", "x"),
    ("sum", "mul", "add", "tanh"),
    ("lambda", "None", "class", "self"),
    ("0", "-1", "1", "00"),
    ("output", "inputs", "steps", "value"),
    ("__init__", "__class__", "__dict__", "__doc__"),
    ("g", "out", "a", "b"),
    ("x.1", "x 1", "x[0]", "'x'"),
)
TENTHS = 10


# --- values --------------------------------------------------------------------------------------


def value_in_the_middle(draw: Random) -> Draft:
    """the output is what was asked for, not what the program ends with"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    product = sketch.matmul(sketch.leaf(n, m), sketch.leaf(m, p, part=4))
    difference = sketch.sub(sketch.leaf(n, p), sketch.tanh(product))
    output = sketch.mul(difference, product)
    sketch.sum(sketch.add(output, product))
    return sketch.value(output)


def value_of_one_cell(draw: Random) -> Draft:
    """a mean is a matrix of one cell, and seldom a whole number"""
    sketch = Sketch(draw)
    rows = [[1 + below(draw, 9) for _ in range(3)] for _ in range(1 + below(draw, 2))]
    rows[0][0] += (1 - sum(map(sum, rows))) % 3  # a third is left
    mean = sketch.mean(sketch.given(_as_written(rows)))
    return sketch.value(sketch.mul(mean, sketch.given([[-1]])) if draw.random() < 0.5 else mean)


def _as_written(rows: list[list[int]]) -> list[list[float]]:
    """Whole numbers stay as they are written."""
    return [list(row) for row in rows]


def large_and_small_values(draw: Random) -> Draft:
    """six decimals are kept of a number in the millions, and of one with five zeros in front"""
    sketch = Sketch(draw)
    large = 1_000_000 * (1 + below(draw, 9)) + (100_003 + below(draw, 800_000)) / 1_000_000
    small = (2 + below(draw, 7)) * 1e-6
    row = shuffled(draw, [large, small, -small, number(draw) / 7, 0, -large / 3])
    x = sketch.given([row[:3], row[3:]])
    difference = sketch.sub(x, sketch.given([[0.0] * 3, [0] * 3]))
    return sketch.value(one_of(draw, (x, difference)))


# --- local rules ---------------------------------------------------------------------------------


def sums_differences_and_products(draw: Random) -> Draft:
    """each slot of sub and mul has a rule of its own"""
    sketch = Sketch(draw)
    size = 2 + below(draw, 2), 2 + below(draw, 3)
    a, b, c = (sketch.leaf(*size) for _ in range(3))
    difference = sketch.sub(sketch.mul(a, b), sketch.sub(b, c))
    return sketch.weighed_grad(sketch.mul(sketch.add(difference, c), sketch.sub(a, c)))


def products_of_matrices(draw: Random) -> Draft:
    """a transpose has its place where no sizes are equal, and where all are and any would fit"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    square, other = sketch.matmul(sketch.leaf(n, m), sketch.leaf(m, n)), sketch.leaf(n, n)
    product = sketch.sub(sketch.matmul(square, other), sketch.mul(other, square))
    return sketch.weighed_grad(sketch.matmul(product, sketch.leaf(n, one_of(draw, (1, p)))))


def slopes_of_tanh(draw: Random) -> Draft:
    """tanh is flat far out, in numbers beyond the range of exp, and never clipped on the way"""
    sketch = Sketch(draw)
    far = (400 + below(draw, 400)) * one_of(draw, (1.0, -1.0))
    nearly_flat = 5.5 + below(draw, 10) / TENTHS
    rows = [[far, nearly_flat, 800.0], [-nearly_flat, number(draw), number(draw) / 4]]
    t = sketch.tanh(sketch.given(rows))
    k = sketch.given([[2000.0 + below(draw, 1000)] * 3, [-4000.0, number(draw), number(draw)]])
    return sketch.grad(sketch.sum(sketch.either("mul", t, k)))


def sums_and_means_in_the_middle(draw: Random) -> Draft:
    """every entry gets its share of what arrives, as many shares as the operand has entries"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    a, b, k = sketch.leaf(n, m), sketch.leaf(m, p), sketch.leaf(1, 1)
    means = sketch.either("mul", sketch.mean(b), sketch.mean(sketch.tanh(a)))
    sums = sketch.either("mul", sketch.sum(sketch.mul(a, a)), sketch.sum(k))
    total = sketch.either(one_of(draw, ("add", "sub")), means, sums)
    return sketch.grad(sketch.either("mul", total, k))


def whole_numbers(draw: Random) -> Draft:
    """inputs without a decimal point have gradients with decimals, and stay without one"""
    sketch = Sketch(draw)
    rows = [[below(draw, 19) - 9 for _ in range(3)] for _ in range(2)]
    x, k = sketch.given(_as_written(rows)), sketch.given([[2 * below(draw, 3) + 1]])
    return sketch.grad(sketch.either("mul", sketch.mean(x), k))


# --- sharing -------------------------------------------------------------------------------------


def same_operand_twice(draw: Random) -> Draft:
    """a matrix in both slots of a step gets both pieces once, and those of all other steps"""
    sketch = Sketch(draw)
    n = 2 + below(draw, 2)
    x = sketch.leaf(n, n)
    power = sketch.matmul(x, x)
    if draw.random() < 0.5:
        power = sketch.either("matmul", power, x)
    square, double, nothing = sketch.mul(x, x), sketch.add(x, x), sketch.sub(x, x)
    fourth = sketch.mul(square, square)
    total = sketch.add(sketch.sub(fourth, nothing), sketch.mul(double, square))
    return sketch.weighed_grad(sketch.either("add", power, total))


def shared_buffers(draw: Random) -> Draft:
    """what add hands to its operands is read by both of them, and written to by neither"""
    sketch = Sketch(draw)
    size = 2 + below(draw, 2), 1 + below(draw, 3)
    a, b, c = (sketch.leaf(*size) for _ in range(3))
    # The steps before the sum are undone after it: one uses a summand again, one is turned round.
    again = sketch.tanh(a)
    difference = sketch.sub(b, c)
    total = sketch.either("add", again, difference)
    plain = sketch.either("add", a, b)
    return sketch.weighed_grad(sketch.mul(total, sketch.tanh(plain)))


def short_way_and_long_way(draw: Random) -> Draft:
    """a result waits for the long way round, whichever of the two ways is seen first"""
    sketch = Sketch(draw)
    size = 1 + below(draw, 2), 2 + below(draw, 2)
    x, k = sketch.leaf(*size), sketch.leaf(*size)
    result = sketch.mul(x, k)
    for is_long_way_first in shuffled(draw, (True, False)):
        long = sketch.mul(sketch.tanh(sketch.either("mul", result, k)), k)
        ways = (long, result) if is_long_way_first else (result, long)
        result = sketch.mul(sketch.step(one_of(draw, ("add", "sub")), *ways), k)
    return sketch.weighed_grad(result)


def crossing_ways(draw: Random) -> Draft:
    """every step reads any two of the last few results, so pieces arrive in every order"""
    sketch = Sketch(draw)
    size = 1 + below(draw, 2), 2 + below(draw, 2)
    plain: list[list[float]] = [
        [one_of(draw, (0, 1, -1, 0.0)) for _ in range(size[1])] for _ in range(size[0])
    ]
    names = [sketch.leaf(*size, part=2), sketch.given(plain), sketch.leaf(*size, part=2)]
    for _ in range(6 + below(draw, 3)):
        a, b = (names[-1 - below(draw, min(4, len(names)))] for _ in range(2))
        result = sketch.step(one_of(draw, ("add", "sub", "mul")), a, b)
        names.append(sketch.tanh(result) if draw.random() < 0.3 else result)
    total = sketch.either("add", sketch.tanh(names[-1]), sketch.mul(names[-2], names[0]))
    return sketch.weighed_grad(total)


# --- requests ------------------------------------------------------------------------------------


def output_that_is_an_input(draw: Random) -> Draft:
    """the gradient of a number by itself is 1, and 0 for all that it does not depend on"""
    sketch = Sketch(draw)
    others = [sketch.leaf(*size) for size in shuffled(draw, ((1, 1), (1, 3), (2, 2)))]
    x = sketch.leaf(1, 1)
    if draw.random() < 0.5:
        sketch.mul(x, sketch.mean(others[0]))
    sketch.inputs = dict(shuffled(draw, list(sketch.inputs.items())))
    return sketch.grad(x)


def steps_that_do_not_count(draw: Random) -> Draft:
    """nothing flows through a step that the output does not need, before it or behind it"""
    sketch = Sketch(draw)
    n, m = shuffled(draw, (2, 3))
    x, idle = sketch.leaf(n, m), sketch.leaf(m, n)
    dead_end = sketch.matmul(idle, x)
    y = sketch.weighed(sketch.mul(x, x))
    sketch.matmul(sketch.mul(dead_end, dead_end), idle)
    last = sketch.mul(y, sketch.leaf(1, 1))
    if draw.random() < 0.5:
        sketch.mul(sketch.sub(x, x), x)
    else:
        sketch.sub(last, y)
    return sketch.grad(y)


def odd_names(draw: Random) -> Draft:
    """a name is a text and nothing else, whatever it looks like and however it sorts"""
    first, second, third, fourth = one_of(draw, ODD_NAMES)
    names = (first, second, third, fourth, "t", "loss_grad", "loss")
    sketch = Sketch(draw, names)
    n = 2 + below(draw, 2)
    a, b = sketch.leaf(1, n), sketch.leaf(1, n)
    difference = sketch.sub(b, a)
    product = sketch.mul(difference, b)
    return sketch.weighed_grad(sketch.sub(sketch.tanh(a), product))


def tiny_and_huge_factors(draw: Random) -> Draft:
    """what is tiny in the middle of a program, forward or backward, may be large at its end"""
    sketch = Sketch(draw)
    size = 10.0 ** (4 + below(draw, 2))
    x = sketch.leaf(1, 2)
    small = sketch.given([[number(draw) / size, number(draw) / size]])
    large = sketch.given([[number(draw) * size, number(draw) * size]])
    results = []
    for factors in ((small, small, large, large), (large, large, small, small)):
        result = x
        for factor in factors:
            result = sketch.either("mul", result, factor)
        results.append(result)
    return sketch.weighed_grad(sketch.either("add", *results))


# --- one call after another ----------------------------------------------------------------------


def _network(draw: Random, n: int, m: int) -> dict[str, Any]:
    """A request whose steps are the same texts for any sizes; every name and rule is in it."""
    sketch = Sketch(draw)
    x, w, b = sketch.leaf(n, m), sketch.leaf(m, n, part=4), sketch.leaf(n, n, part=2)
    h = sketch.add(sketch.matmul(x, w), b)
    out = sketch.mul(sketch.tanh(h), sketch.sub(b, h))
    return sketch.request("grad", sketch.mean(out))


def gradient_after_other_requests(draw: Random) -> Draft:
    """nothing is left of requests with other numbers, nor of one that failed half-way"""
    n, m = shuffled(draw, (2, 3))
    request = _network(draw, n, m)
    sizes = {"x1": (n, m), "x2": (m, n), "x3": (n, n)}
    earlier = {**request, "inputs": {name: matrix(draw, *size) for name, size in sizes.items()}}
    failing = (
        {**request, "steps": [*request["steps"], ["bad", "matmul", "x3", "x2"]]},
        {**request, "output": "s1"},
        {**request, "output": "nowhere"},
        {**request, "op": "gradient"},
    )
    last = {**earlier, "op": one_of(draw, ("grad", "gradcheck"))}
    others = shuffled(draw, (earlier, last, {**request, "op": "value"}, one_of(draw, failing)))
    return Draft(request, first=tuple(others))


VALUES = profiles(value_in_the_middle, value_of_one_cell, large_and_small_values)
RULES = profiles(
    sums_differences_and_products,
    products_of_matrices,
    slopes_of_tanh,
    sums_and_means_in_the_middle,
    whole_numbers,
)
SHARING = profiles(same_operand_twice, shared_buffers, short_way_and_long_way, crossing_ways)
REQUESTS = profiles(
    output_that_is_an_input,
    steps_that_do_not_count,
    odd_names,
    tiny_and_huge_factors,
    gradient_after_other_requests,
)
