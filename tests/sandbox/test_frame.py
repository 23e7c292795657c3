"""Frames are looked over before they are parsed."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.frame import MOST_DEPTH, MOST_DIGITS, Unreadable, read

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def nested(depth: int, opening: str = "[", closing: str = "]") -> bytes:
    return (opening * depth + closing * depth).encode()


@given(DATA)
def test_whatever_was_sent_as_json_is_read(data: Any) -> None:
    assert read(json.dumps(data).encode()) == data
    assert read(json.dumps(data, ensure_ascii=False, indent=1).encode()) == data


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with contextlib.suppress(Unreadable):
        read(body)


@pytest.mark.parametrize(
    "body",
    [
        nested(MOST_DEPTH),
        b'{"a":' * (MOST_DEPTH - 1) + b"[]" + b"}" * (MOST_DEPTH - 1),
        b"[" + b",".join([nested(MOST_DEPTH - 1)] * 50) + b"]",
        b'["' + b"[" * 10_000 + b'"]',
        rb'["\\", "\"[[[", "' + b"[" * 10_000 + b'\\""]',
        b"1" * MOST_DIGITS,
        b'["' + b"1" * 10_000 + b'"]',
    ],
    ids=len,
)
def test_up_to_the_limits_it_is_read(body: bytes) -> None:
    assert read(body) == json.loads(body)


@pytest.mark.parametrize(
    "body",
    [
        nested(MOST_DEPTH + 1),
        nested(4_000_000),
        b"[[]," * (MOST_DEPTH + 1) + b"0" + b"]" * (MOST_DEPTH + 1),
        b"[" + b"[[],[]]," * 1000 + nested(MOST_DEPTH) + b"]",
        b'{"a":' * (MOST_DEPTH + 1) + b"1" + b"}" * (MOST_DEPTH + 1),
        rb'["\\\"", ' + nested(MOST_DEPTH) + b"]",
    ],
    ids=len,
)
def test_what_is_deeper_is_not(body: bytes) -> None:
    with pytest.raises(Unreadable, match=r"nested more than 500 deep"):
        read(body)


@pytest.mark.parametrize("body", [b"1" * 5_000, b"[-" + b"9" * 5_000 + b"]", b"1." + b"0" * 5_000])
def test_what_has_more_digits_is_not(body: bytes) -> None:
    with pytest.raises(Unreadable, match=r"more than 4300 digits"):
        read(body)


@pytest.mark.parametrize("body", [b"", b"[", b"[}", b"[" * 400, b'"', b"\xff", b"nul", b"{1:2}"])
def test_what_is_no_json_is_not(body: bytes) -> None:
    with pytest.raises(Unreadable, match="no JSON"):
        read(body)
