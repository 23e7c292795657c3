"""Profiles of the tensor exercise in which add and mul stretch their operands."""

from random import Random

from grader.arrays import Shape
from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import profiles
from grader.generate.tensor_sketch import Sketch, sizes


def _stretched(draw: Random, small: Shape, large: Shape) -> Draft:
    """Each of add and mul has each of the two as its left operand once."""
    sketch = Sketch(draw)
    a, b = sketch.leaf(*small), sketch.leaf(*large)
    left, right = sketch.add(a, b), sketch.add(b, a)
    product = sketch.mul(sketch.mul(left, a), sketch.mul(a, right))
    return sketch.weighed_grad(product)


def bias(draw: Random) -> Draft:
    """a vector over the rows of a matrix collects from all of them"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _stretched(draw, (m,), (n, m))


def column(draw: Random) -> Draft:
    """a column over a matrix collects along the rows, and stays a column"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _stretched(draw, (n, 1), (n, m))


def number_over_an_array(draw: Random) -> Draft:
    """a number without axes collects from everywhere, at any rank"""
    return _stretched(draw, (), sizes(draw, 1 + below(draw, 4)))


def one_element_over_an_array(draw: Random) -> Draft:
    """one element with axes collects from everywhere and keeps its axes, fewer of them or more"""
    small = (1,) * (1 + below(draw, 4))
    return _stretched(draw, small, sizes(draw, 1 + below(draw, 3)))


def axes_in_front_of_size_one(draw: Random) -> Draft:
    """nothing is repeated, but the results have more axes than one of the operands"""
    shape = sizes(draw, below(draw, 3))
    return _stretched(draw, shape, (1,) * (1 + below(draw, 2)) + shape)


def missing_axes(draw: Random) -> Draft:
    """two or three axes that an operand lacks are all summed over"""
    large = sizes(draw, 4)
    return _stretched(draw, large[2 + below(draw, 2) :], large)


def missing_axes_and_axes_of_one(draw: Random) -> Draft:
    """an operand lacks axes and has others of size 1: both are summed, only these are kept"""
    large = sizes(draw, 3 + below(draw, 2))
    small = list(large[1 + below(draw, len(large) - 2) :])
    small[below(draw, len(small))] = 1
    return _stretched(draw, tuple(small), large)


def axes_of_one_in_the_middle(draw: Random) -> Draft:
    """two or three axes of size 1 are summed over, and what lies between them is left alone"""
    large = sizes(draw, 3 + below(draw, 2))
    kept = below(draw, len(large))
    return _stretched(draw, tuple(n if at == kept else 1 for at, n in enumerate(large)), large)


def equal_sizes_everywhere(draw: Random) -> Draft:
    """all sizes are equal, so every axis fits, and only the aligned one is right"""
    n = 2 + below(draw, 2)
    small = one_of(draw, [(n,), (n, n), (n, 1), (1, n), (n, 1, 1), (1, n, 1), (1, n, n), (n, 1, n)])
    return _stretched(draw, small, (n, n, n))


def _both_stretched(draw: Random, left: Shape, right: Shape) -> Draft:
    sketch = Sketch(draw)
    a, b = sketch.leaf(*left), sketch.leaf(*right)
    total = sketch.add(a, b)
    product = sketch.mul(sketch.mul(b, a), sketch.mul(total, a))
    return sketch.weighed_grad(sketch.mul(product, sketch.add(b, a)))


def table_of_a_column_and_a_row(draw: Random) -> Draft:
    """a column and a row of one length give a table, though they have as many entries"""
    n = 2 + below(draw, 3)
    return _both_stretched(draw, *shuffled(draw, ((n, 1), one_of(draw, ((n,), (1, n))))))


def both_stretched(draw: Random) -> Draft:
    """both operands are stretched, along different axes, and ranks may differ"""
    k, n, m = shuffled(draw, (2, 3, 4))
    pair = one_of(
        draw,
        [
            ((n, 1), (m,)),
            ((k, 1, 1), (n, m)),
            ((k, 1, m), (n, 1)),
            ((2, 1, n, 1), (k, 1, 2)),
            ((1, k, 1, n), (2, 1, m, 1)),
        ],
    )
    return _both_stretched(draw, *shuffled(draw, pair))


def axes_of_one_in_both(draw: Random) -> Draft:
    """an axis of size 1 in both operands is not stretched, and neither is it lost"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    pair = one_of(
        draw,
        [
            ((1, n), (1, 1)),
            ((n, 1), (1,)),
            ((1, 1), (1,)),
            ((2, 1, n, 1), (1, n, 1)),
            ((2, 1, n), (1, 1, n)),
            ((1, 1, 1), ()),
            ((1, n, 1, 1), (m, 1, 1, 1)),
        ],
    )
    return _both_stretched(draw, *shuffled(draw, pair))


def several_stretches_of_one_rank(draw: Random) -> Draft:
    """a column, then a row, then a whole matrix: each time other axes are summed"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    result = sketch.leaf(n, m)
    for shape in shuffled(draw, ((n, 1), (1, m), (1, 1))):
        result = sketch.mul(sketch.either("add", result, sketch.leaf(*shape)), result)
    return sketch.weighed_grad(result)


def stretched_again_and_again(draw: Random) -> Draft:
    """a number becomes a vector, a matrix and a block, and its gradient comes back through all"""
    sketch = Sketch(draw)
    k, n, m = shuffled(draw, (2, 3, 2))
    s = sketch.leaf()
    vector = sketch.either("add", s, sketch.leaf(m))
    matrix = sketch.either("mul", vector, sketch.leaf(n, 1))
    block = sketch.either("add", matrix, sketch.leaf(k, 1, 1))
    whole = sketch.mul(sketch.mul(block, matrix), sketch.either("mul", vector, s))
    return sketch.weighed_grad(whole)


def result_that_is_stretched(draw: Random) -> Draft:
    """a sum is taken from every entry it was made of, and each entry has a say in all of them"""
    sketch = Sketch(draw)
    x = sketch.leaf(*sizes(draw, 1 + below(draw, 4)))
    share = sketch.mul(sketch.sum(x), sketch.leaf())
    centred = sketch.either("add", x, share)
    return sketch.weighed_grad(sketch.mul(centred, centred))


def layers_that_share_a_bias(draw: Random) -> Draft:
    """one bias and one scale in two layers collect from both, relu or not"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    h, w = sketch.leaf(n, m), sketch.leaf(m, m)
    scale, shift = sketch.leaf(m), sketch.leaf(1, m)
    for _ in range(2):
        h = sketch.either("add", sketch.matmul(h, w), shift)
        h = sketch.either("mul", sketch.add(sketch.relu(h), h), scale)
    return sketch.weighed_grad(h)


STRETCHES = profiles(
    bias,
    column,
    number_over_an_array,
    one_element_over_an_array,
    axes_in_front_of_size_one,
    missing_axes,
    missing_axes_and_axes_of_one,
    axes_of_one_in_the_middle,
    equal_sizes_everywhere,
    table_of_a_column_and_a_row,
    both_stretched,
    axes_of_one_in_both,
    several_stretches_of_one_rank,
    stretched_again_and_again,
    result_that_is_stretched,
    layers_that_share_a_bias,
)
