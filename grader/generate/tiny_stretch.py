"""Profiles of the tiny exercise in which add, sub and mul stretch their operands."""

from random import Random

from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import Size, Sketch, profiles


def _stretched(draw: Random, small: Size, large: Size) -> Draft:
    """Each of add, sub and mul has the small one on either side."""
    sketch = Sketch(draw)
    a, b = sketch.leaf(*small), sketch.leaf(*large)
    left, right = sketch.sub(a, b), sketch.add(b, a)
    product = sketch.mul(sketch.mul(left, a), sketch.mul(a, right))
    return sketch.weighed_grad(sketch.sub(product, a) if draw.random() < 0.5 else product)


def row_over_a_matrix(draw: Random) -> Draft:
    """an entry of a row collects from its whole column"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _stretched(draw, (1, m), (n, m))


def column_over_a_matrix(draw: Random) -> Draft:
    """an entry of a column collects from its whole row"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _stretched(draw, (n, 1), (n, m))


def cell_over_a_matrix(draw: Random) -> Draft:
    """one cell collects from everywhere, along one axis or both"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _stretched(draw, (1, 1), (n, m))


def equal_sides(draw: Random) -> Draft:
    """a square fits its rows and columns alike, so nothing but the rule says which is meant"""
    n = 2 + below(draw, 2)
    sketch = Sketch(draw)
    square, row, column = sketch.leaf(n, n), sketch.leaf(1, n), sketch.leaf(n, 1)
    result = square
    for other in shuffled(draw, (row, column)):
        result = sketch.either(one_of(draw, ("add", "sub")), result, other)
        result = sketch.either("mul", result, other)
    return sketch.weighed_grad(result)


def constant_minus_x(draw: Random) -> Draft:
    """what is taken from a smaller matrix gets the minus, stretched or not"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    small = one_of(draw, ((1, 1), (1, m), (n, 1)))
    difference = sketch.sub(sketch.given([[1.0] * small[1]] * small[0]), sketch.leaf(n, m))
    return sketch.weighed_grad(sketch.mul(difference, difference))


def tables_of_columns_and_rows(draw: Random) -> Draft:
    """a column and a row make a table, in which both are stretched, of equal sides or not"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    column = sketch.leaf(n, 1)
    tables = []
    for length in shuffled(draw, (n, m)):
        a, b = shuffled(draw, (column, sketch.leaf(1, length)))
        total = sketch.step(one_of(draw, ("add", "sub")), a, b)
        product = sketch.mul(sketch.mul(b, a), sketch.mul(total, a))
        tables.append(sketch.weighed(sketch.sub(product, sketch.sub(b, a))))
    return sketch.grad(sketch.step(one_of(draw, ("add", "sub")), *tables))


def result_that_is_stretched(draw: Random) -> Draft:
    """a matrix less its own mean: each entry has a say in every entry of the result"""
    sketch = Sketch(draw)
    x = sketch.leaf(2 + below(draw, 2), 2 + below(draw, 3))
    centred = sketch.either("sub", x, sketch.step(one_of(draw, ("mean", "sum")), x))
    return sketch.weighed_grad(sketch.mul(centred, x) if draw.random() < 0.5 else centred)


def layers_with_a_bias(draw: Random) -> Draft:
    """one bias and one scale in two layers collect from every row of both"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    h, w = sketch.leaf(n, m, part=2), sketch.leaf(m, m, part=2)
    bias, scale = sketch.leaf(1, m, part=2), sketch.leaf(n, 1)
    for _ in range(2):
        h = sketch.tanh(sketch.either("add", sketch.matmul(h, w), bias))
        h = sketch.either("mul", h, scale)
    return sketch.weighed_grad(h)


def gradient_after_other_sizes(draw: Random) -> Draft:
    """what an earlier call has learnt about sizes does not hold for the next"""
    sizes = shuffled(draw, ((1, 1), (1, 3), (2, 1), (2, 3)))
    sketches = []
    for size in sizes[:3]:
        sketch = Sketch(draw)
        a, b = sketch.leaf(*size), sketch.leaf(2, 3)
        product = sketch.mul(sketch.sub(b, a), sketch.mul(a, b))
        sketches.append(sketch.request("grad", sketch.sum(sketch.mul(product, product))))
    request, *earlier = sketches
    return Draft(request, first=tuple(earlier))


STRETCHES = profiles(
    row_over_a_matrix,
    column_over_a_matrix,
    cell_over_a_matrix,
    equal_sides,
    constant_minus_x,
    tables_of_columns_and_rows,
    result_that_is_stretched,
    layers_with_a_bias,
    gradient_after_other_sizes,
)
