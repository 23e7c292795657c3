"""Reading a frame that a hand-in may have written: looked over as bytes before it is parsed.

Whatever comes is either plain data of a size that the judge can handle, or Unreadable.
"""

import json
import re
from typing import Any

MOST_DEPTH = 500  # what the judge goes through without running out of stack
MOST_DIGITS = 4300  # Python's own limit, and where the engine runs it is the same
_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (MOST_DIGITS + 1))
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class Unreadable(Exception):
    """The text is a few words that say why."""


def read(body: bytes) -> Any:
    """The frame's JSON. Raises Unreadable."""
    outside = _outside_strings(body)
    if _LONG_NUMBER.search(outside):
        raise Unreadable(f"a number of more than {MOST_DIGITS} digits")
    if _is_deeper_than(MOST_DEPTH, outside):
        raise Unreadable(f"nested more than {MOST_DEPTH} deep")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON ({type(error).__name__})") from None


def _outside_strings(body: bytes) -> bytes:
    """Without the strings' contents; each step goes over the text once, whatever is in it."""
    if b"\\" in body:
        body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(body.split(b'"')[::2])


def _is_deeper_than(most: int, outside: bytes) -> bool:
    """Takes the innermost brackets away, once for each level that is allowed."""
    if outside.count(b"[") + outside.count(b"{") <= most:
        return False
    brackets = outside.translate(None, _NO_BRACKETS).replace(b"{", b"[").replace(b"}", b"]")
    for _ in range(most):
        if not brackets:
            return False
        if b"[" * (most + 1) in brackets:
            return True
        shorter = brackets.replace(b"[]", b"")
        if len(shorter) == len(brackets):
            return False  # they do not match: no JSON, and the parser says so
        brackets = shorter
    return bool(brackets)
