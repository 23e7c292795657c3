"""One thing in a hand-in, and how much of them there may be."""

from collections.abc import Callable
from dataclasses import dataclass

MIB = 1 << 20
MOST_FILE = MIB
MOST_TAKEN, MOST_TAKEN_BYTES = 500, 8 * MIB
MOST_MEMBERS = 20_000
MOST_ARCHIVE = 64 * MIB
MOST_UNPACKED = 256 * MIB  # of a stream that has to be gone through
LINK, NO_FILE, LARGE = "a link", "no ordinary file", "larger than 1 MiB"


class HandInError(Exception):
    """A hand-in that cannot be taken; the text is one line: what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Member:
    """`refused` says why it cannot be taken at all; `read` gives at most MOST_FILE + 1 bytes."""

    name: str
    refused: str = ""
    read: Callable[[], bytes] = bytes


def counted(members: list[Member]) -> None:
    """Raises HandInError where there are more than may be."""
    if len(members) > MOST_MEMBERS:
        raise HandInError(f"has more than {MOST_MEMBERS:,} files; send candidate/ and tests/ only")
