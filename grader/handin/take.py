"""From whatever was sent to the files that are graded."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.files import write_tree
from grader.handin import archive, bundle, folder
from grader.handin.choice import choose
from grader.handin.member import (
    LARGE,
    MOST_ARCHIVE,
    MOST_FILE,
    MOST_TAKEN,
    MOST_TAKEN_BYTES,
    HandInError,
    Member,
)
from grader.kit.worker import printable

KINDS = "a hand-in is a folder, a .py file, a .zip, a .tar.gz or a git bundle"
MOST_LEFT_OUT = 1_000
TARRED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
FOREIGN = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`name` as it was sent, on one line; `why` in a few words."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class HandIn:
    """What was taken, by path: candidate/tiny.py, tests/test_it.py, or tiny.py.

    sha256  over all names and contents: the same for the same files, however they were sent
    """

    files: Mapping[str, bytes]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    sha256: str


def take_in(path: Path) -> HandIn:
    """Read it, and run nothing of it. Raises HandInError, one line that begins with the path."""
    try:
        return _taken(_members(path))
    except HandInError as error:
        raise HandInError(printable(f"{path}: {error}")) from None
    except (OSError, RuntimeError) as error:  # the latter for links that go round in circles
        why = getattr(error, "strerror", None) or str(error)
        raise HandInError(printable(f"{path}: cannot be read: {why}")) from None


def write_down(hand_in: HandIn, place: Path) -> None:
    """Into an empty folder. An OSError that passes through is no fault of the hand-in's."""
    write_tree(place, hand_in.files)


def _members(path: Path) -> list[Member]:
    path = path.resolve()  # a link may be named; it is those inside that are not followed
    if path.is_dir():
        return folder.members(path)
    if not path.exists():
        raise HandInError("there is no such file or folder")
    if path.suffix == ".py":
        return [Member(path.name, "", lambda: folder.read_file(path))]
    content = folder.read_file(path, MOST_ARCHIVE)
    if len(content) > MOST_ARCHIVE:
        raise HandInError("is larger than 64 MiB; send candidate/ and tests/ only")
    for magic, name in FOREIGN.items():
        if content.startswith(magic):
            raise HandInError(f"is a {name} archive; send a .zip or a .tar.gz")
    if content.startswith((b"# v2 git bundle\n", b"# v3 git bundle\n")):
        return bundle.members(path)
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return archive.zipped(content)
    if content.startswith(TARRED) or content[257:262] == b"ustar":
        return archive.tarred(content)
    raise HandInError(f"is of no kind that can be read; {KINDS}")


def _taken(members: list[Member]) -> HandIn:
    choice = choose([member.name for member in members], [member.refused for member in members])
    left_out = list(choice.left_out)
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for name, index in sorted(choice.taken.items()):
        content = members[index].read()
        if len(content) > MOST_FILE:
            left_out.append((members[index].name, LARGE))
            continue
        files[name] = _in_utf_8(name, content, notes.append)
        if len(files) > MOST_TAKEN:
            raise HandInError(f"has more than {MOST_TAKEN} files in candidate/ and tests/")
    if sum(map(len, files.values())) > MOST_TAKEN_BYTES:
        raise HandInError("has more than 8 MiB in candidate/ and tests/")
    if not files:
        there = ", ".join(f"{name} ({why})" for name, why in left_out[:5]) or "nothing"
        raise HandInError(f"has no candidate/ and no .py file at its top; in it: {there}")
    return HandIn(files, _told(left_out), tuple(notes), _sha256(files))


def _in_utf_8(name: str, content: bytes, note: Callable[[str], None]) -> bytes:
    """Some editors and shells save Python as UTF-16, which Python does not read."""
    if not name.endswith(".py") or not content.startswith(UTF_16):
        return content
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError:
        return content
    note(f"{name} was UTF-16, and was read as UTF-8")
    return text.encode("utf-8")


def _told(left_out: list[tuple[str, str]]) -> tuple[LeftOut, ...]:
    told = [LeftOut(printable(name), why) for name, why in left_out[:MOST_LEFT_OUT]]
    if len(left_out) > MOST_LEFT_OUT:
        told.append(LeftOut(f"and {len(left_out) - MOST_LEFT_OUT:,} more", "left out too"))
    return tuple(told)


def _sha256(files: Mapping[str, bytes]) -> str:
    found = hashlib.sha256()
    for name, content in sorted(files.items()):
        for part in (name.encode("utf-8", "surrogateescape"), content):
            found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()
