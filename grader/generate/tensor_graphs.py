"""Profiles of the tensor exercise about whole programs: their order, depth and requests."""

import math
from random import Random
from typing import Any

from grader.arrays import Array, nested
from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import profiles
from grader.generate.tensor_sketch import Sketch, quarters, sizes

CHAIN = 1_050  # beyond the thousand calls inside calls that Python allows
DOUBLINGS = 40
LAYERS = 32
USES = 120
LEAVES = 12
EARLIER = 4
SECONDS = 0.5  # for what is fast, or takes for ever


# --- order ---------------------------------------------------------------------------------------


def short_way_and_long_way(draw: Random) -> Draft:
    """a result waits for the long way round, whichever of the two ways is seen first"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 4))
    x, k = sketch.leaf(*shape), sketch.leaf(*shape)
    start = sketch.mul(x, k)
    b = sketch.either("mul", start, k)
    c = sketch.either("add", b, start)
    end = sketch.add(sketch.mul(c, b), sketch.relu(c))
    return sketch.weighed_grad(sketch.mul(sketch.add(start, end), sketch.add(end, start)))


def diamond_below_a_diamond(draw: Random) -> Draft:
    """a result that is used twice is made of one that is used twice"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 3))
    result, k = sketch.leaf(*shape), sketch.leaf(*shape)
    for _ in range(3):
        left = sketch.either("mul", result, k)
        right = sketch.either("add", result, left)
        result = (
            sketch.either("mul", left, right) if draw.random() < 0.5 else sketch.add(right, left)
        )
    return sketch.weighed_grad(result)


def crossing_ways(draw: Random) -> Draft:
    """every step reads any two of the last few results, so pieces arrive in every order"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 3))
    names = [sketch.leaf(*shape) for _ in range(3)]
    for _ in range(8):
        a, b = (names[-1 - below(draw, 4) % len(names)] for _ in range(2))
        names.append(sketch.step(one_of(draw, ("add", "mul", "add")), a, b))
    last = sketch.add(sketch.relu(names[-1]), names[-2])
    return sketch.weighed_grad(sketch.either("add", last, names[0]))


def any_ranks(draw: Random) -> Draft:
    """anything that fits anything, at every rank"""
    sketch = Sketch(draw)
    whole = sizes(draw, 4)
    names = [sketch.leaf(*whole)]
    for _ in range(3):
        own = [1 if draw.random() < 0.3 else size for size in whole[below(draw, 5) :]]
        names.append(sketch.leaf(*own))
    for _ in range(4):
        a, b = one_of(draw, names), one_of(draw, names[-3:])
        operation = one_of(draw, ("add", "mul", "relu", "mul", "add", "sum"))
        names.append(
            sketch.step(operation, a, b)
            if operation in ("add", "mul")
            else sketch.step(operation, b)
        )
    result = names[-1]
    for name in shuffled(draw, names[:4]):
        result = sketch.either("add", result, name)
    return sketch.weighed_grad(result)


# --- depth ---------------------------------------------------------------------------------------


def chain(draw: Random) -> Draft:
    """a thousand steps and some in a row are too deep for calls inside calls"""
    sketch = Sketch(draw)
    start, other = _above_zero(draw, 2)
    x, k = sketch.given((), [start]), sketch.given((), [other])
    is_of_relus = draw.random() < 0.5
    h = x
    for _ in range(CHAIN):
        h = sketch.relu(h) if is_of_relus else sketch.either("add", h, k)
    request = sketch.request("grad", sketch.mul(h, k))
    end = start if is_of_relus else start + CHAIN * other
    by_other = end if is_of_relus else end + CHAIN * other
    return Draft(request, answer={"value": end * other, "grads": {x: other, k: by_other}})


def doublings(draw: Random) -> Draft:
    """forty doublings are eighty steps, and a million million ways from the output to an input"""
    sketch = Sketch(draw)
    h, half = sketch.leaf(2), sketch.given((2,), [0.5, 0.5])
    for _ in range(DOUBLINGS):
        h = sketch.either("mul", sketch.add(h, h), half)
    return Draft(sketch.weighed_grad(h).request, seconds=SECONDS)


def residual_stack(draw: Random) -> Draft:
    """every layer reads the layer before it twice"""
    sketch = Sketch(draw)
    h = sketch.leaf(1, 2)
    w = sketch.given((2, 2), [number / 64 for number in quarters(draw, 4)])
    for _ in range(LAYERS):
        h = sketch.either("add", h, sketch.relu(sketch.matmul(h, w)))
    return Draft(sketch.weighed_grad(h).request, seconds=SECONDS)


def one_result_with_many_uses(draw: Random) -> Draft:
    """a result runs its rule once, after the last of its many uses"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 2))
    f = sketch.mul(*(sketch.leaf(*shape) for _ in range(2)))
    k = sketch.leaf(*shape)
    total = f
    for _ in range(USES):
        total = sketch.either("add", total, sketch.either("mul", f, k))
    return Draft(sketch.weighed_grad(total).request, seconds=SECONDS)


# --- requests ------------------------------------------------------------------------------------


def output_that_is_an_input(draw: Random) -> Draft:
    """the gradient of an input by itself is 1, in the input's shape, and 0 for all others"""
    sketch = Sketch(draw)
    x = sketch.leaf(*(1,) * (2 + below(draw, 3)))
    k = sketch.leaf(*sizes(draw, below(draw, 3)))
    if draw.random() < 0.5:
        sketch.mul(k, sketch.add(x, k))
    return sketch.grad(x)


def numbers_without_axes(draw: Random) -> Draft:
    """between leaf and output nothing has an axis, and neither has a gradient"""
    sketch = Sketch(draw)
    a, b, c = (sketch.given((), [number]) for number in _above_zero(draw, 3))
    return sketch.grad(sketch.add(c, sketch.mul(sketch.relu(sketch.sum(b)), sketch.mul(a, b))))


def output_of_one_element(draw: Random) -> Draft:
    """an output of one element may have axes, and so have the gradients"""
    sketch = Sketch(draw)
    shape = (1,) * (1 + below(draw, 4))
    x, k, b = (sketch.leaf(*shape) for _ in range(3))
    return sketch.grad(sketch.add(sketch.mul(sketch.mul(x, k), x), b))


def inputs_that_do_not_count(draw: Random) -> Draft:
    """nothing flows to an unused input, nor through a step that the output does not need"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 4))
    x, k = sketch.leaf(*shape), sketch.leaf(*shape)
    sketch.leaf(*sizes(draw, below(draw, 5)))
    used = sketch.mul(x, x)
    idle = sketch.mul(used, k)
    sketch.sum(sketch.mul(idle, x))
    return sketch.weighed_grad(sketch.add(used, x))


def equal_numbers(draw: Random) -> Draft:
    """inputs and results with equal numbers are still different ones, whole numbers or not"""
    sketch = Sketch(draw)
    shape = sizes(draw, below(draw, 3))
    numbers = quarters(draw, math.prod(shape))
    if draw.random() < 0.5:
        numbers = [int(4 * number) for number in numbers]
    a, b, c = (sketch.given(shape, numbers) for _ in range(3))
    r = sketch.mul(sketch.relu(a), b)
    return sketch.weighed_grad(sketch.add(sketch.mul(r, a), c))


def own_check(draw: Random) -> Draft:
    """the gradients agree with differences of the engine's own values"""
    sketch = Sketch(draw)
    n, m, _ = shuffled(draw, (2, 3, 4))
    x, w = sketch.leaf(n, 2), sketch.leaf(2, m)
    h = sketch.either("add", sketch.matmul(x, w), sketch.leaf(n, 1))
    # relu stands at an input: its kink is then a quarter away, far beyond any step
    h = sketch.either("mul", h, sketch.relu(sketch.leaf(m)))
    return sketch.gradcheck(sketch.sum(sketch.mul(h, h)))


def after_other_requests(draw: Random) -> Draft:
    """what earlier requests have left behind does not show: other sizes, a value, a failure"""
    shapes = shuffled(draw, ((2, 3), (3, 2), (2, 2)))
    request, *earlier = (_relus(draw, *shape) for shape in shapes)
    value = {**earlier[0], "op": "value"}
    failing = {**earlier[1], "steps": [*earlier[1]["steps"], ["bad", "matmul", "x2", "x2"]]}
    return Draft(request, first=tuple(shuffled(draw, (value, *earlier, failing))))


def after_relus_below_zero(draw: Random) -> Draft:
    """what is kept for one tensor is not taken for another that lies where that one lay"""
    sketch = Sketch(draw)
    total = sketch.given((2,), _above_zero(draw, 2))
    for _ in range(LEAVES):
        leaf = sketch.given((2,), _above_zero(draw, 2))
        total = sketch.relu(sketch.either("add", total, sketch.relu(leaf)))
    request = sketch.weighed_grad(total).request
    below_zero = {name: [-entry for entry in value] for name, value in request["inputs"].items()}
    grad = {**request, "inputs": below_zero}
    return Draft(request, first=(grad, {**grad, "op": "value"}) * EARLIER)


def _above_zero(draw: Random, count: int) -> list[float]:
    return [abs(number) for number in quarters(draw, count)]


def _relus(draw: Random, n: int, m: int) -> dict[str, Any]:
    sketch = Sketch(draw)
    a, b, c = sketch.leaf(n, m), sketch.leaf(m), sketch.leaf(n, 1)
    r = sketch.mul(sketch.relu(a), sketch.relu(b))
    s = sketch.add(sketch.relu(c), sketch.relu(r))
    return sketch.weighed_grad(sketch.mul(sketch.relu(s), a)).request


def upstream_of_many_elements(draw: Random) -> Draft:
    """an output of many elements is weighted with a gradient from outside"""
    sketch = Sketch(draw)
    shape = sizes(draw, 1 + below(draw, 3))
    a, b = sketch.leaf(*shape), sketch.leaf(*shape[1:])
    output = sketch.add(sketch.mul(a, b), sketch.relu(a))
    return _with_upstream(sketch, output)


def upstream_of_one_element(draw: Random) -> Draft:
    """an output of one element is weighted like any other"""
    sketch = Sketch(draw)
    shape = (1,) * below(draw, 4)
    a, b = sketch.leaf(*shape), sketch.leaf(*shape)
    return _with_upstream(sketch, one_of(draw, (a, sketch.mul(a, sketch.add(a, b)))))


def _with_upstream(sketch: Sketch, output: str) -> Draft:
    shape = sketch.shape(output)
    upstream = nested(Array(shape, quarters(sketch.draw, math.prod(shape))))
    return Draft({**sketch.request("grad", output), "upstream": upstream})


ORDER = profiles(short_way_and_long_way, diamond_below_a_diamond, crossing_ways, any_ranks)
DEPTH = profiles(chain, doublings, residual_stack, one_result_with_many_uses)
REQUESTS = profiles(
    output_that_is_an_input,
    numbers_without_axes,
    output_of_one_element,
    inputs_that_do_not_count,
    equal_numbers,
    own_check,
    after_other_requests,
    after_relus_below_zero,
)
UPSTREAM = profiles(upstream_of_many_elements, upstream_of_one_element)
