"""The candidate's own tests, taken out of a hand-in: plain files of a plain size, and no others.

What is in candidate/ comes along, as tests may import it; the engine there gives way to others.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

FOLDER = "tests"
BESIDE = "candidate"
MOST_FILES = 200
MOST_BYTES = 1 << 20
MOST_IN_ALL = 8 << 20
LEFT_OUT = {"__pycache__", ".pytest_cache", ".hypothesis"}


class PowerError(Exception):
    """There are no tests to run; the text is one line."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Files by their path from the hand-in's folder, and notes on what was left out."""

    files: dict[str, str]
    notes: tuple[str, ...]


def suite_in(submission: Path) -> Suite:
    """The files below tests/. Links are not followed. Raises PowerError."""
    if not submission.is_dir():
        what = "is no folder" if submission.exists() else "there is no such folder"
        raise PowerError(f"{submission}: {what}; name a hand-in's folder, with {FOLDER}/ in it")
    home = submission / FOLDER
    if home.is_symlink() or not home.is_dir():
        raise PowerError(f"{submission}: there is no folder {FOLDER} in it")
    files: dict[str, str] = {}
    notes: list[str] = []
    total = 0
    for file in _files_in(home) + _files_in(submission / BESIDE):
        path = file.relative_to(submission).as_posix()
        text = _text_of(file)
        if text is None:
            notes.append(f"{path} was left out: it is no plain text file of up to 1 MiB")
        elif len(files) == MOST_FILES or total + len(text) > MOST_IN_ALL:
            notes.append(f"{path} was left out: there is too much")
        else:
            files[path] = text
            total += len(text)
    if not any(path.startswith(FOLDER) and path.endswith(".py") for path in files):
        raise PowerError(f"{home}: there is no Python file in it")
    return Suite(files, tuple(notes))


def _files_in(home: Path) -> list[Path]:
    """In the order of their paths; none for what is no folder or a link to one."""
    found: list[Path] = []
    for folder, folders, names in os.walk(home) if not home.is_symlink() else ():
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        found += [Path(folder) / name for name in sorted(names)]
    return found


def _text_of(file: Path) -> str | None:
    """None for what is no regular file, too long, or no text."""
    try:
        found = file.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            return None
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
