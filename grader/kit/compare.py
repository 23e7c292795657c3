"""Comparing a result with what is expected, entry by entry.

A number is right when it is an int or a float (never a bool), finite, already rounded to six
decimals, and within 1.5e-6 + 1e-9 |expected| of what is expected; -0.0 counts as 0.0.
"""

import reprlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DECIMALS = 6
ABSOLUTE = 1.5e-6
RELATIVE = 1e-9
MOST_DEPTH = 8  # of lists in lists: an answer may be nested until comparing it exhausts the stack

Where = tuple[str | int, ...]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """One place of a result that is not as expected, and in words why not."""

    where: Where
    expected: Any
    actual: Any
    why: str


def differences_between(expected: Any, actual: Any, where: Where = ()) -> Iterator[Difference]:
    """Every place where `actual` is not as `expected`; a wrong shape counts as one place."""
    if isinstance(expected, dict):
        yield from _in_mapping(expected, actual, where)
    elif isinstance(expected, list):
        yield from _in_list(expected, actual, where)
    elif expected is None or isinstance(expected, bool | str):
        if type(actual) is not type(expected) or actual != expected:
            yield Difference(
                where, expected, actual, f"should be {expected!r}, not {shown(actual)}"
            )
    elif why := why_wrong(expected, actual):
        yield Difference(where, expected, actual, why)


def _in_mapping(expected: dict[str, Any], actual: Any, where: Where) -> Iterator[Difference]:
    if not isinstance(actual, dict):
        yield Difference(where, expected, actual, f"should be a mapping, not {kind_of(actual)}")
        return
    for key, value in expected.items():
        if key not in actual:
            yield Difference((*where, key), value, None, "is missing")
        else:
            yield from differences_between(value, actual[key], (*where, key))
    for key in actual:
        if key not in expected:
            yield Difference((*where, key), None, actual[key], "should not be there")


def _in_list(expected: list[Any], actual: Any, where: Where) -> Iterator[Difference]:
    wanted, got = shape_of(expected), shape_of(actual)
    if wanted == got and len(expected) != len(actual):  # both uneven
        wanted, got = (len(expected),), (len(actual),)
    if wanted != got:
        why = f"should be {in_words(wanted)}, not {in_words(got) if got else kind_of(actual)}"
        yield Difference(where, expected, actual, why)
        return
    for index, (item, other) in enumerate(zip(expected, actual, strict=True)):
        yield from differences_between(item, other, (*where, index))


def why_wrong(expected: float, actual: Any) -> str:
    """Empty if the number is right."""
    if isinstance(actual, bool) or not isinstance(actual, int | float):
        return f"should be the number {expected!r}, not {kind_of(actual)}"
    if abs(actual) > sys.float_info.max:
        return f"should be {expected!r}, not a number beyond all bounds"
    if not abs(actual - expected) <= ABSOLUTE + RELATIVE * abs(expected):  # NaN is close to nothing
        return f"should be {expected!r}, not {actual!r}"
    if round(actual, DECIMALS) != actual:
        return f"should be rounded to {DECIMALS} decimals, not {actual!r}"
    return ""


def changes_between(before: Any, after: Any, where: Where = ()) -> Iterator[Difference]:
    """Like `differences_between`, but exact: an argument must not change at all."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key in before:
            yield from changes_between(before[key], after[key], (*where, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (was, is_now) in enumerate(zip(before, after, strict=True)):
            yield from changes_between(was, is_now, (*where, index))
    elif not _is_same(before, after):
        yield Difference(where, before, after, f"was {shown(before)} and became {shown(after)}")


def _is_same(before: Any, after: Any) -> bool:
    """Whether a leaf is what it was; 1, 1.0, True and -0.0 are not the same."""
    is_leaf = not isinstance(before, dict | list) and type(before) is type(after)
    return is_leaf and repr(before) == repr(after)


_brief = reprlib.Repr()
_brief.maxdict = _brief.maxlist = 20
_brief.maxstring = _brief.maxlong = _brief.maxother = 400


def shown(value: Any) -> str:
    """Its repr, cut where it is very long or deep: it may be anything that JSON can carry."""
    return _brief.repr(value)


def shape_of(value: Any, depth: int = MOST_DEPTH) -> Shape | None:
    """(rows, columns) of a matrix, (n,) of a list, () of a leaf; None where rows are uneven.

    Whatever is nested more deeply than `depth` is no even shape either.
    """
    if not isinstance(value, list):
        return ()
    if depth == 0:
        return None
    inner = [shape_of(item, depth - 1) for item in value]
    if any(shape is None or shape != inner[0] for shape in inner):
        return None
    return (len(value), *(inner[0] or ())) if inner else (0,)


def in_words(shape: Shape | None) -> str:
    if shape is None:
        return "a list of uneven rows"
    return " by ".join(map(str, shape)) if len(shape) > 1 else f"a list of {shape[0]}"


def kind_of(value: Any) -> str:
    if isinstance(value, list):
        return in_words(shape_of(value))
    names = {dict: "a mapping", str: "text", bool: "true or false", type(None): "None"}
    return names.get(type(value), "a number")
