"""A file that a command is to write: it must have a place, and must not take somebody else's."""

import errno
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from grader.commands.errors import BadInput, GraderFault
from grader.files import write_text

START = 1024
FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def check_target(path: Path, is_ours: Callable[[bytes], bool], what: str) -> None:
    """Before any work is done. `is_ours` looks at how a file that is there begins.

    Raises BadInput where the path is no place for `what`.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BadInput(f"{path}: cannot be written: it is a folder")
        if not stat.S_ISREG(mode):
            raise BadInput(f"{path}: cannot be written: it is no ordinary file")
        with path.open("rb") as file:
            start = file.read(START)
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise BadInput(f"{path}: cannot be written: there is no such folder") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    else:
        if start and not is_ours(start):
            raise BadInput(f"{path}: is there and is no {what}; name another file")


def check_json(file: str | None, what: str) -> None:
    """Of a command's --json; - is standard output. Raises BadInput."""
    if file not in (None, "-"):
        check_target(Path(str(file)), is_json, what)


def is_json(start: bytes) -> bool:
    return start.startswith(b"{")


def write_json(file: str | None, text: Callable[[], str]) -> None:
    """Where `check_json` has found a place for it, if it was asked for. Raises BadInput."""
    if file == "-":
        sys.stdout.write(text())
    elif file is not None:
        write_target(Path(file), text())


def write_target(path: Path, text: str) -> None:
    """As a whole or not at all. Raises BadInput, or GraderFault where a disk fails or is full."""
    try:
        write_text(path, text)
    except OSError as error:
        is_ours = error.errno in FAULTS
        raise (GraderFault if is_ours else BadInput)(
            f"{path}: cannot be written: {error.strerror}"
        ) from None
