"""The candidate's own tests, taken out of a hand-in: text files, and no others.

What is in candidate/ comes along, as tests may import it; the engine there gives way to others.
"""

from dataclasses import dataclass
from pathlib import Path

from grader.handin import HandInError, take_in
from grader.handin.choice import worth_telling

FOLDER = "tests"
TAKEN = ("tests/", "candidate/")


class PowerError(Exception):
    """There are no tests to run; the text is one line."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Files by their path from the hand-in's folder, and notes on what was left out."""

    files: dict[str, str]
    notes: tuple[str, ...]


def suite_in(submission: Path) -> Suite:
    """The files below tests/ and candidate/, of a folder or an archive. Raises PowerError."""
    try:
        hand_in = take_in(submission)
    except HandInError as error:
        raise PowerError(f"{error}; tests are looked for in a folder {FOLDER}") from None
    files: dict[str, str] = {}
    notes: list[str] = list(hand_in.notes)
    for path, content in hand_in.files.items():
        if path.startswith(TAKEN):
            try:
                files[path] = content.decode("utf-8-sig")
            except UnicodeDecodeError:
                notes.append(f"{path} was left out: it is no UTF-8 text")
    for name, why in worth_telling((left.name, left.why) for left in hand_in.left_out):
        if any(f"/{folder}" in f"/{name}" for folder in TAKEN):
            notes.append(f"{name} was left out: {why}")
    tests = [path for path in files if path.startswith(FOLDER)]
    if not any(path.startswith(FOLDER) for path in hand_in.files):
        raise PowerError(f"{submission}: there is no folder {FOLDER} in it")
    if not any(path.endswith(".py") for path in tests):
        raise PowerError(f"{submission / FOLDER}: there is no Python file in it")
    return Suite(files, tuple(notes))
