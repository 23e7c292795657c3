"""Arrays in plain Python, held to what torch does with the same numbers."""

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.arrays import (
    Array,
    Shape,
    add,
    array,
    broadcast_shape,
    flat,
    inner_product,
    map_entries,
    matmul,
    mul,
    nested,
    shape_of,
    stretched,
    sub,
)
from tests.programs import SIZES, arrays

# Quarters: what is added and multiplied is exact, so it is compared exactly.
SHAPES = st.lists(SIZES, max_size=4).map(tuple)


@st.composite
def fitting(draw: st.DrawFn) -> tuple[Shape, Shape]:
    """Two shapes that broadcast to each other."""
    whole = draw(SHAPES)

    def part() -> Shape:
        kept = whole[draw(st.integers(0, len(whole))) :]
        return tuple(draw(st.sampled_from([1, size])) for size in kept)

    return part(), part()


def tensor(value: Any) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.float64)


def same(here: Array, there: torch.Tensor) -> bool:
    return here == Array(tuple(there.shape), there.flatten().tolist())


# --- lists and arrays ----------------------------------------------------------------------------


@pytest.mark.parametrize("rank", range(5))
@settings(deadline=None, max_examples=20)
@given(st.data())
def test_lists_become_an_array_and_the_same_lists_again(rank: int, data: st.DataObject) -> None:
    value = data.draw(st.tuples(*[SIZES] * rank).flatmap(arrays))
    assert nested(array(value)) == value
    assert same(array(value), tensor(value))
    assert (shape_of(value), flat(value)) == (array(value).shape, array(value).entries)


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (3, Array((), [3.0])),
        ([3], Array((1,), [3.0])),
        ([[3]], Array((1, 1), [3.0])),
        ([[1, 2], [3, 4], [5, 6]], Array((3, 2), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ([[[1, 2]], [[3, 4]]], Array((2, 1, 2), [1.0, 2.0, 3.0, 4.0])),
    ],
)
def test_an_array_has_its_entries_by_rows_as_floats(value: Any, made: Array) -> None:
    assert array(value) == made
    assert {type(entry) for entry in array(value).entries} == {float}


# --- broadcasting --------------------------------------------------------------------------------


@settings(deadline=None, max_examples=200)
@given(st.one_of(fitting(), st.tuples(SHAPES, SHAPES)))
def test_shapes_broadcast_just_where_torch_says_so(shapes: tuple[Shape, Shape]) -> None:
    a, b = shapes
    try:
        wanted = tuple(torch.broadcast_shapes(a, b))  # type: ignore[no-untyped-call]
    except RuntimeError:
        wanted = None
    assert broadcast_shape(a, b) == broadcast_shape(b, a) == wanted


@settings(deadline=None, max_examples=100)
@given(fitting(), st.data())
def test_a_stretched_array_repeats_its_entries(
    shapes: tuple[Shape, Shape], data: st.DataObject
) -> None:
    value = data.draw(arrays(shapes[0]))
    shape = broadcast_shape(*shapes)
    assert shape is not None
    assert stretched(array(value), shape) == tensor(value).expand(shape).flatten().tolist()


# --- arithmetic ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("here", "there"), [(add, torch.add), (sub, torch.sub), (mul, torch.mul)], ids=["+", "-", "*"]
)
@settings(deadline=None, max_examples=60)
@given(fitting(), st.data())
def test_by_entry_is_what_torch_gives(
    here: Callable[[Array, Array], Array],
    there: Callable[..., torch.Tensor],
    shapes: tuple[Shape, Shape],
    data: st.DataObject,
) -> None:
    a, b = (data.draw(arrays(shape)) for shape in shapes)
    assert same(here(array(a), array(b)), there(tensor(a), tensor(b)))


@settings(deadline=None, max_examples=60)
@given(st.tuples(SIZES, SIZES, SIZES), st.data())
def test_a_matrix_product_is_what_torch_gives(
    sizes: tuple[int, int, int], data: st.DataObject
) -> None:
    n, m, p = sizes
    a, b = data.draw(arrays((n, m))), data.draw(arrays((m, p)))
    assert same(matmul(array(a), array(b)), tensor(a) @ tensor(b))


@settings(deadline=None, max_examples=30)
@given(fitting(), st.data())
def test_operands_stay_as_they_are(shapes: tuple[Shape, Shape], data: st.DataObject) -> None:
    values = [data.draw(arrays(shape)) for shape in shapes]
    operands = list(map(array, values))
    for operation in (add, sub, mul):
        assert operation(*operands).entries is not operands[0].entries
    map_entries(operator.neg, operands[0])
    assert list(map(nested, operands)) == values


def test_a_function_of_every_entry_keeps_the_shape() -> None:
    assert map_entries(math.exp, Array((2, 1), [0.0, -math.inf])) == Array((2, 1), [1.0, 0.0])


def test_an_inner_product_loses_nothing_on_the_way() -> None:
    assert inner_product([1e16, 1.0, -1e16], [1.0, 1.0, 1.0]) == 1.0
