"""When a number is right, when a shape is, and what is said otherwise."""

import copy
import math
import sys
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.kit.compare import (
    changes_between,
    differences_between,
    in_words,
    kind_of,
    shape_of,
    why_wrong,
)
from tests.kit.values import FINITE, ROUNDED, json_values, matrices, results

NAN, INF = math.nan, math.inf
MILLIONTH = 1e-6


def said(expected: Any, actual: Any) -> list[tuple[Any, str]]:
    return [(d.where, d.why) for d in differences_between(expected, actual)]


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (0.5, 0.5),
        (2.0, 2),
        (2, 2.0),
        (0.0, -0.0),
        (-0.0, 0),
        (0.0, MILLIONTH),
        (0.333333, 0.333334),
        (1e12, 1e12 + 900),
        (1e300, 1e300),
        (1e300, 10**300),
        (sys.float_info.max, sys.float_info.max),
    ],
)
def test_a_number_is_right_when_it_is_near_enough_and_rounded(expected: float, actual: Any) -> None:
    assert why_wrong(expected, actual) == ""


@pytest.mark.parametrize(
    ("expected", "actual", "why"),
    [
        (0.5, -0.5, "should be 0.5, not -0.5"),
        (0.0, 0.000002, "should be 0.0, not 2e-06"),
        (1e12, 1e12 + 1100, "should be 1000000000000.0, not 1000000001100.0"),
        (0.333333, 1 / 3, "should be rounded to 6 decimals, not 0.3333333333333333"),
        (0.0, 1e-9, "should be rounded to 6 decimals, not 1e-09"),
        (0.0, -1e-300, "should be rounded to 6 decimals, not -1e-300"),
        (1.0, NAN, "should be 1.0, not nan"),
        (1.0, INF, "should be 1.0, not a number beyond all bounds"),
        (1.0, -INF, "should be 1.0, not a number beyond all bounds"),
        (1.0, 10**400, "should be 1.0, not a number beyond all bounds"),
        (1.0, -(10**4_000), "should be 1.0, not a number beyond all bounds"),
        (1.0, True, "should be the number 1.0, not true or false"),
        (0.0, False, "should be the number 0.0, not true or false"),
        (1.0, "1.0", "should be the number 1.0, not text"),
        (1.0, None, "should be the number 1.0, not None"),
        (1.0, [1.0], "should be the number 1.0, not a list of 1"),
        (1.0, [[1.0]], "should be the number 1.0, not 1 by 1"),
        (1.0, {"value": 1.0}, "should be the number 1.0, not a mapping"),
    ],
)
def test_a_number_that_is_wrong_is_said_to_be_so(expected: float, actual: Any, why: str) -> None:
    assert why_wrong(expected, actual) == why


@given(st.floats(-100, 100), st.integers(-1, 1))
@settings(deadline=None, max_examples=100)
def test_a_rounded_number_one_millionth_off_is_right(number: float, millionths: int) -> None:
    expected = round(number, 6)
    assert why_wrong(expected, round(expected + millionths * MILLIONTH, 6)) == ""


@given(st.floats(-100, 100), st.integers(2, 1_000), st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=100)
def test_a_number_two_millionths_off_or_more_is_wrong(
    number: float, millionths: int, sign: int
) -> None:
    expected = round(number, 6)
    actual = round(expected + sign * millionths * MILLIONTH, 6)
    assert why_wrong(expected, actual) == f"should be {expected!r}, not {actual!r}"


@given(st.integers(-(10**9), 10**9), st.floats(0.1, 0.4))
@settings(deadline=None, max_examples=100)
def test_a_number_near_enough_but_not_rounded_is_wrong(millionths: int, more: float) -> None:
    number = (millionths + more) * MILLIONTH
    assert why_wrong(round(number, 6), number).startswith("should be rounded to 6 decimals")


@given(FINITE)
@settings(deadline=None, max_examples=50)
def test_true_and_false_are_never_numbers(number: float) -> None:
    for actual in (True, False):
        assert why_wrong(number, actual).endswith("not true or false")


@given(FINITE, json_values(st.floats()))
@settings(deadline=None, max_examples=100)
def test_only_numbers_are_ever_right(number: float, actual: Any) -> None:
    if why_wrong(number, actual) == "":
        assert type(actual) in {int, float}
        assert abs(actual) < INF


@pytest.mark.parametrize("expected", [True, False])
@pytest.mark.parametrize("actual", [True, False, 1, 0, 1.0, "true", None, [True]])
def test_a_truth_is_only_right_as_itself(
    expected: bool,  # noqa: FBT001
    actual: Any,
) -> None:
    wrong = said({"passed": expected}, {"passed": actual})
    if actual is expected:
        assert wrong == []
    else:
        assert wrong == [(("passed",), f"should be {expected}, not {actual!r}")]


@pytest.mark.parametrize(
    ("expected", "actual", "why"),
    [
        (None, 0, "should be None, not 0"),
        (None, False, "should be None, not False"),
        (None, "None", "should be None, not 'None'"),
        (None, [], "should be None, not []"),
        ("", None, "should be '', not None"),
        ("RuntimeError", "", "should be 'RuntimeError', not ''"),
        ("RuntimeError", "runtimeerror", "should be 'RuntimeError', not 'runtimeerror'"),
        ("1", 1, "should be '1', not 1"),
        ("x", ["x"], "should be 'x', not ['x']"),
        (1.0, "x" * 1_000, "should be the number 1.0, not text"),
        (0.0, None, "should be the number 0.0, not None"),
    ],
)
def test_text_and_nothing_are_only_right_as_themselves(
    expected: Any, actual: Any, why: str
) -> None:
    assert said({"a": expected}, {"a": actual}) == [(("a",), why)]
    assert said({"a": [[expected]]}, {"a": [[expected]]}) == []


def test_text_and_nothing_may_lie_among_numbers() -> None:
    expected = {"a": [1.0, "x", None, True], "b": {"c": [None]}}
    assert said(expected, copy.deepcopy(expected)) == []
    actual = {"a": [1, "y", None, 1], "b": {"c": [0]}}
    assert [where for where, _ in said(expected, actual)] == [("a", 1), ("a", 3), ("b", "c", 0)]


@pytest.mark.parametrize(
    ("expected", "actual", "where"),
    [
        ([[1.0], [2.0, 3.0]], [[1.0], [2.0, 4.0]], ("a", 1, 1)),
        ([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0], [4.0]], ("a",)),
        ([[1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0]], ("a", 0)),
        ([1.0, [2.0]], [[1.0], 2.0], ("a", 0)),
        ([[1.0], []], [[1.0]], ("a",)),
    ],
)
def test_what_is_expected_may_be_uneven(expected: Any, actual: Any, where: tuple[Any, ...]) -> None:
    assert said({"a": expected}, {"a": expected}) == []
    assert said({"a": expected}, {"a": actual})[0][0] == where


def test_of_a_long_text_not_all_is_said() -> None:
    ((_, why),) = said({"a": "short"}, {"a": "x" * 10_000})
    assert why.startswith("should be 'short', not 'xxx")
    assert len(why) < 500


def test_a_place_with_nothing_is_not_a_missing_one() -> None:
    assert said({"a": None}, {}) == [(("a",), "is missing")]


# --- whole results -------------------------------------------------------------------------------


@given(results())
@settings(deadline=None, max_examples=100)
def test_a_result_equal_to_what_is_expected_has_no_difference(result: dict[str, Any]) -> None:
    assert said(result, copy.deepcopy(result)) == []


@given(results(), st.data())
@settings(deadline=None, max_examples=100)
def test_one_wrong_number_is_one_difference_at_its_place(
    result: dict[str, Any], data: st.DataObject
) -> None:
    places = [place for place in leaves(result) if place != ("passed",)]
    assume(places)
    *way, last = data.draw(st.sampled_from(places))
    actual = copy.deepcopy(result)
    holder = actual
    for part in way:
        holder = holder[part]
    holder[last] = round(holder[last] + 5.0, 6)
    assert [where for where, _ in said(result, actual)] == [(*way, last)]


def leaves(result: Any, where: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(result, dict):
        return [place for key in result for place in leaves(result[key], (*where, key))]
    if isinstance(result, list):
        return [place for at, item in enumerate(result) for place in leaves(item, (*where, at))]
    return [where]


@given(json_values(ROUNDED), results())
@settings(deadline=None, max_examples=100)
def test_anything_at_all_can_be_compared(actual: Any, expected: dict[str, Any]) -> None:
    for where, why in said(expected, actual):
        assert isinstance(where, tuple)
        assert why


EXPECTED = {"value": 1.0, "grads": {"a": [[1.0, 2.0]], "b": [[3.0]]}}


@pytest.mark.parametrize(
    ("actual", "wrong"),
    [
        ([1.0], [((), "should be a mapping, not a list of 1")]),
        (None, [((), "should be a mapping, not None")]),
        (3, [((), "should be a mapping, not a number")]),
        ({}, [(("value",), "is missing"), (("grads",), "is missing")]),
        (
            {"value": 1.0, "grads": [[1.0]]},
            [(("grads",), "should be a mapping, not 1 by 1")],
        ),
        (
            {"value": 1.0, "grads": {"a": [[1.0, 2.0]], "c": [[0.0]]}},
            [(("grads", "b"), "is missing"), (("grads", "c"), "should not be there")],
        ),
        (
            {**EXPECTED, "time": 3},
            [(("time",), "should not be there")],
        ),
        (
            {"value": 1.0, "grads": {"a": [[1.0], [2.0]], "b": 3.0}},
            [
                (("grads", "a"), "should be 1 by 2, not 2 by 1"),
                (("grads", "b"), "should be 1 by 1, not a number"),
            ],
        ),
        (
            {"value": 1.0, "grads": {"a": [[1.0, 2.0], [3.0]], "b": [3.0]}},
            [
                (("grads", "a"), "should be 1 by 2, not a list of uneven rows"),
                (("grads", "b"), "should be 1 by 1, not a list of 1"),
            ],
        ),
        (
            {"value": 1.0, "grads": {"a": [], "b": [[[3.0]]]}},
            [
                (("grads", "a"), "should be 1 by 2, not a list of 0"),
                (("grads", "b"), "should be 1 by 1, not 1 by 1 by 1"),
            ],
        ),
        (
            {"value": 1.0, "grads": {"a": [[1.0, 9.0]], "b": [[None]]}},
            [
                (("grads", "a", 0, 1), "should be 2.0, not 9.0"),
                (("grads", "b", 0, 0), "should be the number 3.0, not None"),
            ],
        ),
    ],
)
def test_every_place_that_is_wrong_is_named_once(actual: Any, wrong: list[tuple[Any, str]]) -> None:
    assert said(EXPECTED, actual) == wrong


# --- shapes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shape", "words"),
    [
        (3.0, (), "a number"),
        ("text", (), "text"),
        (None, (), "None"),
        (True, (), "true or false"),
        ({}, (), "a mapping"),
        ([], (0,), "a list of 0"),
        ([1, 2], (2,), "a list of 2"),
        ([[]], (1, 0), "1 by 0"),
        ([[1, 2], [3, 4], [5, 6]], (3, 2), "3 by 2"),
        ([[[1], [2]]], (1, 2, 1), "1 by 2 by 1"),
        ([[1], [2, 3]], None, "a list of uneven rows"),
        ([1, [2]], None, "a list of uneven rows"),
        ([[[1]], [[1, 2]]], None, "a list of uneven rows"),
    ],
)
def test_a_shape_is_said_in_words(value: Any, shape: Any, words: str) -> None:
    assert shape_of(value) == shape
    assert kind_of(value) == words


@given(matrices(), matrices())
@settings(deadline=None, max_examples=100)
def test_shapes_differ_the_same_from_either_side(
    one: list[list[float]], other: list[list[float]]
) -> None:
    one = [[0.0 for _ in row] for row in one]
    other = [[0.0 for _ in row] for row in other]
    shapes = (len(one), len(one[0])), (len(other), len(other[0]))
    assert (shape_of(one), shape_of(other)) == shapes
    names = in_words(shapes[0]), in_words(shapes[1])
    there = [] if one == other else [((), f"should be {names[0]}, not {names[1]}")]
    back = [] if one == other else [((), f"should be {names[1]}, not {names[0]}")]
    assert (said(one, other), said(other, one)) == (there, back)


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"x": [[1.0]]}, {"x": [[1.0]]}, []),
        ({"x": NAN}, {"x": NAN}, []),
        ({"x": [[1.0]]}, {"x": [[1.5]]}, [(("x", 0, 0), "was 1.0 and became 1.5")]),
        ({"x": [[1]]}, {"x": [[1.0]]}, [(("x", 0, 0), "was 1 and became 1.0")]),
        ({"x": [0.0]}, {"x": [-0.0]}, [(("x", 0), "was 0.0 and became -0.0")]),
        ({"x": [1]}, {"x": [True]}, [(("x", 0), "was 1 and became True")]),
        ({"x": [1]}, {"x": [1, 2]}, [(("x",), "was [1] and became [1, 2]")]),
        ({"x": 1}, {"x": 1, "y": 2}, [((), "was {'x': 1} and became {'x': 1, 'y': 2}")]),
        ({"x": 1, "y": 2}, {"x": 3, "y": 4}, [(("x",), "was 1 and became 3"),
                                              (("y",), "was 2 and became 4")]),
        ({"x": [1]}, {"x": {}}, [(("x",), "was [1] and became {}")]),
    ],
)  # fmt: skip
def test_an_argument_must_not_change_at_all(
    before: Any, after: Any, changes: list[tuple[Any, str]]
) -> None:
    assert [(d.where, d.why) for d in changes_between(before, after)] == changes


@given(json_values(st.floats()))
@settings(deadline=None, max_examples=50)
def test_an_argument_that_stays_has_no_change(value: Any) -> None:
    assert list(changes_between(value, copy.deepcopy(value))) == []
