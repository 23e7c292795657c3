"""What a session is: kept beside the kit, on the interviewer's side."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from grader.bugs import catalogue
from grader.files import write_text
from grader.project import ProjectError, read_exercise

VERSION = 1
INTERVIEWER = "interviewer"
KIT = "kit"
FILE = "session.json"

Start = Literal["buggy", "skeleton"]
STARTS: tuple[Start, ...] = ("buggy", "skeleton")


class SessionError(Exception):
    """A folder that is no session, or one that cannot be read; the text is one line."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a kit was made from.

    `bugs` are the ids of those in the candidate's engine, empty for a skeleton. `files` has the
    SHA-256 of each file of the kit as it was handed out, by its path with forward slashes.
    """

    exercise: str
    seed: int
    start: Start
    minutes: int
    twist: str | None
    bugs: tuple[str, ...]
    files: dict[str, str] = field(default_factory=dict)
    version: int = VERSION


def record_file(session: Path) -> Path:
    return session / INTERVIEWER / FILE


def write_record(session: Path, record: Record) -> None:
    """As a whole or not at all. Raises OSError."""
    write_text(record_file(session), json.dumps(asdict(record), indent=2) + "\n")


def read_record(session: Path) -> Record:
    """Raises SessionError with what, where, and what to do."""
    file = record_file(session)
    if not session.is_dir():
        raise SessionError(f"{session}: there is no such folder; grader new makes a session")
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = f"is no session, {INTERVIEWER}/{FILE} is not in it; grader new makes one"
        raise SessionError(f"{session}: {what}") from None
    except OSError as error:
        raise SessionError(f"{file}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        why = error.msg if isinstance(error, json.JSONDecodeError) else "it is not UTF-8 text"
        raise SessionError(f"{file}{line}: is no JSON ({why}); take it from a backup") from None
    return _record(file, told)


def _record(file: Path, told: Any) -> Record:
    if not isinstance(told, dict):
        raise SessionError(f"{file}: is no session's record, which is a JSON object")
    version = told.get("version")
    if isinstance(version, int) and version > VERSION:
        raise SessionError(f"{file}: is of version {version}; this grader reads {VERSION}, update")
    for key, (is_right, what) in KEYS.items():
        if key not in told:
            raise SessionError(f"{file}: has no {key!r}; take it from a backup")
        if not is_right(told[key]):
            raise SessionError(f"{file}: {key!r} must be {what}, not {told[key]!r}")
    record = Record(**{key: told[key] for key in KEYS} | {"bugs": tuple(told["bugs"])})
    try:
        read_exercise(record.exercise)
    except ProjectError as error:
        raise SessionError(f"{file}: {error}") from None
    for bug in record.bugs:
        if bug not in catalogue(record.exercise):
            what = f"the catalogue of {record.exercise} has no bug {bug!r}"
            raise SessionError(f"{file}: {what}; use the grader that made the session")
    return record


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _are_digests(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(digest, str) for digest in value.values())


KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "version": (_is_whole, "a whole number"),
    "exercise": (lambda value: isinstance(value, str), "the name of an exercise"),
    "seed": (_is_whole, "a whole number"),
    "start": (lambda value: value in STARTS, " or ".join(STARTS)),
    "minutes": (_is_whole, "a whole number"),
    "twist": (lambda value: value is None or isinstance(value, str), "a name or null"),
    "bugs": (_are_words, "a list of names"),
    "files": (_are_digests, "an object of digests"),
}
