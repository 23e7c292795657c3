"""Profiles of the tensor exercise about single operations: values, refusals, local rules."""

import math
from random import Random

from grader.arrays import Shape
from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import profiles
from grader.generate.tensor_sketch import QUARTERS, Sketch, quarters, sizes

HUGE = 1e200  # its square is infinite
TINY = 2.0**-20
SIGNS = (1, 1, -1, -1)
SIGNS_IN_TURN = (1, -1, 1, -1)


# --- values --------------------------------------------------------------------------------------


def value_in_the_middle(draw: Random) -> Draft:
    """relu lets large entries through whole and cuts small ones off, wherever it stands"""
    sketch = Sketch(draw)
    shape = sizes(draw, 2 + below(draw, 2))
    numbers = [6.5, 250_000.0, -250_000.0, 1e-5, -1e-5, 0.0, *quarters(draw, 24)]
    x = sketch.given(shape, numbers[: math.prod(shape)])
    first = sketch.relu(x)
    sketch.sum(sketch.mul(first, x))
    return sketch.value(first)


def value_of_sums(draw: Random) -> Draft:
    """a sum has no axes, whatever the rank of its operand"""
    sketch = Sketch(draw)
    a = sketch.sum(sketch.leaf(*sizes(draw, 1 + below(draw, 4))))
    b = sketch.sum(sketch.leaf())
    return sketch.value(sketch.add(sketch.mul(a, b), a))


def value_of_one_element(draw: Random) -> Draft:
    """one element keeps all the axes it has, and gets those of the other operand"""
    sketch = Sketch(draw)
    rank = 1 + below(draw, 4)
    a, b = sketch.leaf(*(1,) * rank), sketch.leaf(*(1,) * below(draw, rank))
    product = sketch.mul(sketch.mul(a, a), b)
    return sketch.value(sketch.relu(sketch.add(sketch.mul(product, product), b)))


def operands_used_again(draw: Random) -> Draft:
    """an operand is what it was before the operation, when the next one reads it"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 5))
    a, b = sketch.leaf(*shape), sketch.given(shape, _negative(draw, math.prod(shape)))
    total = sketch.add(a, b)
    product = sketch.mul(total, a)
    rest = sketch.add(sketch.relu(b), b)
    return sketch.weighed_grad(sketch.add(product, rest))


def _negative(draw: Random, count: int) -> list[float]:
    return [-abs(number) for number in quarters(draw, count)]


# --- refusals ------------------------------------------------------------------------------------


def _refused(draw: Random, operation: str, left: Shape, right: Shape) -> Draft:
    """The operands may be results, and a refusal is one whatever is asked for."""
    sketch = Sketch(draw)
    a, b = sketch.leaf(*left), sketch.leaf(*right)
    if draw.random() < 0.5:
        a = sketch.mul(a, a)
    if draw.random() < 0.5:
        b = sketch.relu(b)
    output = sketch.sum(sketch.step(operation, a, b))
    op = one_of(draw, ("value", "grad"))
    return Draft(sketch.request(op, output), raises="shape")


def rows_that_do_not_fit(draw: Random) -> Draft:
    """rows of different lengths have no sum, at whatever rank they lie"""
    n, m, *front = *shuffled(draw, (2, 3, 4)), 2
    left, right = (*front, n), (m,) if draw.random() < 0.5 else (*front, m)
    return _refused(draw, "add", *shuffled(draw, (left, right)))


def first_axes_that_do_not_fit(draw: Random) -> Draft:
    """first axes of different sizes, neither of them 1, have no product"""
    n, m, p = shuffled(draw, (2, 3, 4))
    back = one_of(draw, ((p,), (1, p)))
    return _refused(draw, "mul", (n, *back), (m, *back))


def vector_on_the_right(draw: Random) -> Draft:
    """a matrix product takes two axes on the right, also where a vector's length would fit"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _refused(draw, "matmul", (n, m), (m,))


def vector_on_the_left(draw: Random) -> Draft:
    """a matrix product takes two axes on the left, also where a vector's length would fit"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _refused(draw, "matmul", (n,), one_of(draw, ((n, m), (n,))))


def stacks_of_matrices(draw: Random) -> Draft:
    """a matrix product takes no stacks, on neither side"""
    n, m, p = shuffled(draw, (2, 3, 4))
    left: Shape = (2, n, m)
    right: Shape = one_of(draw, ((2, m, p), (1, m, p), (m, p)))
    return _refused(draw, "matmul", left, right)


def product_that_fits_transposed(draw: Random) -> Draft:
    """two matrices of one shape that is not square have no product"""
    n, m, p = shuffled(draw, (2, 3, 4))
    return _refused(draw, "matmul", (n, m), one_of(draw, ((n, m), (p, m))))


def matrix_times_a_number(draw: Random) -> Draft:
    """a number has no axes to multiply over"""
    n, m, _ = shuffled(draw, (2, 3, 4))
    return _refused(draw, "matmul", (n, m), ())


# --- local rules ---------------------------------------------------------------------------------


def sums_and_products(draw: Random) -> Draft:
    """the rules of add and mul hold at any rank, and for each slot"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 5))
    a, b, c = (sketch.leaf(*shape) for _ in range(3))
    p = sketch.mul(a, b)
    return sketch.weighed_grad(sketch.mul(sketch.add(c, p), sketch.add(b, c)))


def same_operand_twice(draw: Random) -> Draft:
    """a tensor in both slots of an operation receives both pieces"""
    sketch = Sketch(draw)
    x = sketch.leaf(*sizes(draw, below(draw, 5)))
    square = sketch.mul(x, x)
    double = sketch.add(x, x)
    fourth = sketch.mul(square, square)
    return sketch.weighed_grad(sketch.add(fourth, sketch.mul(sketch.add(double, double), square)))


def sum_added_to_its_operand(draw: Random) -> Draft:
    """what add hands to both operands is not one buffer for the two"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 5))
    a, b = sketch.leaf(*shape), sketch.leaf(*shape)
    s = sketch.add(a, b)
    return sketch.weighed_grad(sketch.add(s, a))


def products_of_matrices(draw: Random) -> Draft:
    """no two sizes of a matrix product are equal, so each transpose has its place"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    product = sketch.matmul(sketch.leaf(n, m), sketch.leaf(m, p))
    return sketch.weighed_grad(sketch.matmul(product, sketch.leaf(p, 2)))


def products_of_squares(draw: Random) -> Draft:
    """square matrices have two products, and fit into both of them in any order"""
    sketch = Sketch(draw)
    n = 2 + below(draw, 2)
    a, b = sketch.leaf(n, n), sketch.leaf(n, n)
    product = sketch.matmul(a, b)
    return sketch.weighed_grad(sketch.mul(sketch.matmul(product, a), b))


def matrix_times_itself(draw: Random) -> Draft:
    """both factors of x @ x are x, and so are all three of x @ x @ x"""
    sketch = Sketch(draw)
    n = 2 + below(draw, 2)
    x = sketch.leaf(n, n)
    square = sketch.matmul(x, x)
    cube = sketch.either("matmul", square, x)
    return sketch.weighed_grad(one_of(draw, (square, cube)))


def thin_products(draw: Random) -> Draft:
    """sizes of 1 in a matrix product, in any place, are axes like any other"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    number = sketch.matmul(sketch.leaf(1, m), sketch.leaf(m, 1))
    row = sketch.matmul(number, sketch.leaf(1, p))
    table = sketch.matmul(sketch.leaf(n, 1), row)
    column = sketch.matmul(table, sketch.leaf(p, 1))
    return sketch.weighed_grad(sketch.matmul(column, number))


def relu_and_upstream_of_both_signs(draw: Random) -> Draft:
    """each sign of the operand meets each sign of what arrives"""
    sketch = Sketch(draw)
    shape = sizes(draw, 2 + below(draw, 2))
    order = shuffled(draw, range(math.prod(shape)))

    def signed(signs: tuple[int, ...]) -> str:
        numbers = quarters(draw, len(order))
        return sketch.given(
            shape, [abs(n) * signs[at % 4] for n, at in zip(numbers, order, strict=True)]
        )

    x, weights = signed(SIGNS), signed(SIGNS_IN_TURN)
    once = sketch.relu(x)
    return sketch.grad(sketch.sum(sketch.either("mul", sketch.relu(once), weights)))


def relu_at_zero(draw: Random) -> Draft:
    """relu is flat at 0, also at -0.0 and at a 0 that comes out, but not at a tiny number"""
    sketch = Sketch(draw)
    a, b, c, d = quarters(draw, 4)
    x = sketch.given((4, 2), shuffled(draw, [0, -0.0, TINY, a, -a, b, -TINY, 0.0]))
    back = sketch.given((4, 2), [c, d, -0.0, -0.0, -0.0, 0, c, d])
    inner = sketch.relu(x)
    outer = sketch.relu(sketch.mul(inner, back))
    both = sketch.add(sketch.mul(inner, sketch.leaf(4, 2)), outer)
    return sketch.weighed_grad(both)


def infinite_gradient_cut_off(draw: Random) -> Draft:
    """relu gives gradient 0 to an entry below 0 even if what arrives for it is infinite"""
    sketch = Sketch(draw)
    shape = sizes(draw, 1 + below(draw, 2))
    is_cut = shuffled(draw, [at % 2 == 0 for at in range(math.prod(shape))])

    def given(cut: float | None) -> str:
        """An input whose entries are `cut` where relu cuts off, or below 0 where that is None."""
        numbers = [abs(number) for number in quarters(draw, len(is_cut))]
        there = [-number if cut is None else cut for number in numbers]
        return sketch.given(
            shape, [t if off else n for t, n, off in zip(there, numbers, is_cut, strict=True)]
        )

    x, first, second = given(None), given(HUGE), given(HUGE)
    return sketch.weighed_grad(sketch.mul(sketch.mul(sketch.relu(x), first), second))


def sums_in_the_middle(draw: Random) -> Draft:
    """every entry of what was summed gets what arrives for the sum"""
    sketch = Sketch(draw)
    s = sketch.sum(sketch.leaf(*sizes(draw, 1 + below(draw, 4))))
    t = sketch.sum(sketch.mul(sketch.leaf(), sketch.leaf()))
    product = sketch.mul(sketch.mul(s, t), sketch.leaf())
    return sketch.grad(sketch.add(sketch.sum(product), s))


def many_digits(draw: Random) -> Draft:
    """seven digits are not enough, neither on the way nor in a gradient"""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))

    def thirds(*shape: int) -> str:
        """A third is no number of 24 binary digits, nor near one."""
        return sketch.given(
            shape, [below(draw, 9_000) + 1_000 + 1 / 3 for _ in range(math.prod(shape))]
        )

    product = sketch.mul(sketch.matmul(thirds(n, m), thirds(m, p)), thirds(n, p))
    return sketch.grad(sketch.mul(sketch.sum(product), thirds()))


def large_and_tiny_numbers(draw: Random) -> Draft:
    """a number is right or wrong at any size: nothing is clipped, and nothing too small to count"""
    sketch = Sketch(draw)
    large = [number * 10.0 ** one_of(draw, (6, 40, 150)) for number in quarters(draw, 4)]
    tiny = [abs(one_of(draw, QUARTERS) / number) for number in large]
    opened = sketch.relu(sketch.given((4,), tiny))
    product = sketch.either("mul", sketch.given((4,), large), opened)
    return sketch.weighed_grad(sketch.add(product, sketch.leaf(4)))


VALUES = profiles(value_in_the_middle, value_of_sums, value_of_one_element, operands_used_again)
REFUSALS = profiles(
    rows_that_do_not_fit,
    first_axes_that_do_not_fit,
    vector_on_the_right,
    vector_on_the_left,
    stacks_of_matrices,
    product_that_fits_transposed,
    matrix_times_a_number,
)
RULES = profiles(
    sums_and_products,
    same_operand_twice,
    sum_added_to_its_operand,
    products_of_matrices,
    products_of_squares,
    matrix_times_itself,
    thin_products,
    relu_and_upstream_of_both_signs,
    relu_at_zero,
    infinite_gradient_cut_off,
    sums_in_the_middle,
    many_digits,
    large_and_tiny_numbers,
)
