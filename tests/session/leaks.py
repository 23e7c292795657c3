"""What a kit must not have in it, as texts to look for, and the looking."""

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from grader.bugs import base_source, catalogue
from grader.kit import strict_yaml
from grader.project import FIXTURES, ROOT, read_exercise
from grader.session.record import Record

LONG_LINE = 30
LONG_NUMBER = re.compile(r"\d+\.\d{5,}")


class Secret(NamedTuple):
    """A text, and what it would give away."""

    kind: str
    text: str


class Leak(NamedTuple):
    """Where a secret was found."""

    where: str
    secret: Secret


def secrets_of(record: Record, engine: str) -> list[Secret]:
    """Distinctive texts of what a candidate is not to see; `engine` is what they start from."""
    return [
        *_reference(record.exercise, engine),
        *_other_cases(record.exercise),
        *_catalogue(record, engine),
        *_requirements(record.exercise),
        Secret("seed", str(record.seed)),
    ]


def _long_lines(source: str, besides: str) -> Iterator[str]:
    for line in source.splitlines():
        text = line.strip()
        is_common = text.startswith(("from ", "import ", "# ---"))
        if len(text) >= LONG_LINE and text not in besides and not is_common:
            yield text


def _reference(exercise: str, engine: str) -> Iterator[Secret]:
    source = (ROOT / "reference" / f"{exercise}.py").read_text("utf-8")
    for line in _long_lines(source, engine):
        yield Secret("reference", line)


def _other_cases(exercise: str) -> Iterator[Secret]:
    """Names of hidden cases and of new requirements', and numbers that only they have."""
    home = FIXTURES / exercise
    visible = "".join(file.read_text("utf-8") for file in home.glob("visible/*/*"))
    driver = home / "driver.py"
    visible += driver.read_text("utf-8") if driver.exists() else ""
    for folder in ("hidden", "twists"):
        for file in sorted(home.glob(f"{folder}/*/*.yaml")):
            for entry in strict_yaml.read(file).data:
                yield Secret("hidden case", entry["case"])
                if entry["why"] not in visible:
                    yield Secret("hidden case", entry["why"])
            for number in LONG_NUMBER.findall(file.read_text("utf-8")):
                if number not in visible and not _is_common(float(number)):
                    yield Secret("hidden number", number)
        for file in sorted(home.glob(f"{folder}/*/*.py")):
            for line in _long_lines(file.read_text("utf-8"), visible):
                yield Secret("hidden scenario", line)


def _is_common(number: float) -> bool:
    """A few sixths or sevenths, as any mean has them."""
    return any(abs(number * parts - round(number * parts)) < 1e-4 for parts in (6, 7, 9, 12))


def _catalogue(record: Record, engine: str) -> Iterator[Secret]:
    """Ids and words of every bug, and the edits of those that are not in the engine."""
    right = base_source(record.exercise)
    for name in ("tiny", "tensor"):
        for bug in catalogue(name).values():
            yield Secret("bug", bug.id)
            yield Secret("cause", bug.cause)
            yield Secret("hint", bug.hint)
            if bug.report:
                yield Secret("report", bug.report)
    for bug in catalogue(record.exercise).values():
        if bug.id not in record.bugs:
            for line in _long_lines(bug.put, right + engine):
                yield Secret("other bug", line)


def _requirements(exercise: str) -> Iterator[Secret]:
    for twist in read_exercise(exercise).guide.twists:
        if "_" in twist.name:  # others are ordinary words
            yield Secret("twist", twist.name)
        for line in _long_lines(twist.statement, ""):
            yield Secret("twist", line)
    for hint in read_exercise(exercise).guide.hints:
        for line in _long_lines(str(hint), ""):
            yield Secret("guide", line[:60])


def leaks(files: Iterable[tuple[str, bytes]], secrets: list[Secret]) -> list[Leak]:
    """Every secret that stands in some file as a whole word."""
    found = []
    for where, content in files:
        text = content.decode("utf-8", errors="replace")
        for secret in secrets:
            at = text.find(secret.text)
            while at >= 0:
                before, after = text[at - 1 : at], text[at + len(secret.text) :][:1]
                if not (_joins(before) or _joins(after)):
                    found.append(Leak(where, secret))
                    break
                at = text.find(secret.text, at + 1)
    return found


def _joins(character: str) -> bool:
    return bool(re.match(r"[\w.-]", character)) and character != "."


def everything_in(session: Path) -> Iterator[tuple[str, bytes]]:
    """What the candidate gets: every file, git's objects unpacked, and what is in the zip."""
    for file in sorted((session / "kit").rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            is_object = re.fullmatch(r".*/\.git/objects/[0-9a-f]{2}/[0-9a-f]{38}", file.as_posix())
            yield (
                file.relative_to(session).as_posix(),
                (zlib.decompress(content) if is_object else content),
            )
    if (session / "kit.zip").exists():
        with zipfile.ZipFile(session / "kit.zip") as archive:
            for name in archive.namelist():
                yield f"kit.zip/{name}", name.encode() + b"\n" + archive.read(name)
