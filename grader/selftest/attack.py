"""An attack: a file of the corpus, whose header says what it tries and what must come of it.

    family   which kind of attack it is
    expect   the verdicts that are right, `unusable` for an engine that cannot be loaded, and
             `refused` for a hand-in that cannot be taken
    kind     engine, unless told otherwise; `files` defines files(), `zip` and `tar` archive()
    exercise tiny, unless told otherwise
    seconds  a case's limit, where it is not 5
    noted    the beginning of a note that a grade of it must have; points are then nobody's concern
    escapes  `process`: a plain process, with limits and a filter, cannot repel it
    harms    `unfiltered`: not to be run where no filter of system calls keeps it from others

Marks in a file stand for what only the machine it is run on can tell: @HOME@ a folder with a diary
in it, @OTHER@ another hand-in, @TEMP@ temporary files, @PORT@ of a server, @GRADER@ a process,
@PROJECT@ where the grader lies, @USERS@ a hash of their list,
and @MARK@ a word that nothing else has in it.

An engine of the corpus gives right answers where it has got what it was after, and only there: so
points are what an attack gets by it.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "attacks"
KEYS = ("family", "expect", "kind", "exercise", "seconds", "noted", "harms", "escapes")
KINDS = ("engine", "files", "zip", "tar")
_HEADER = re.compile(r"([a-z]+): (.+)")
_MARK = re.compile(r"@([A-Z]+)@")


class AttackError(Exception):
    """A file of the corpus that is not in order; the text is one line."""


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    about: str
    family: str
    expect: frozenset[str]
    source: str
    kind: str = "engine"
    exercise: str = "tiny"
    seconds: float = 5.0
    noted: str = ""
    harms: str = ""
    escapes: str = ""

    def filled(self, marks: Mapping[str, str]) -> str:
        """The source with what the marks stand for. Raises AttackError for an unknown one."""

        def value(match: re.Match[str]) -> str:
            if match[1] not in marks:
                raise AttackError(f"{self.name}.py: there is no mark {match[0]}")
            return marks[match[1]]

        return _MARK.sub(value, self.source)


def corpus(folder: Path = FOLDER) -> dict[str, Attack]:
    """By name, by family and then in the order of their names. Raises AttackError."""
    attacks = [read(file) for file in sorted(folder.glob("*.py"))]
    return {attack.name: attack for attack in sorted(attacks, key=lambda a: (a.family, a.name))}


def read(file: Path) -> Attack:
    """Raises AttackError, with what is wrong and where."""
    source = file.read_text(encoding="utf-8")
    header = ast.get_docstring(ast.parse(_MARK.sub("0", source))) or ""
    about, _, rest = header.partition("\n\n")
    found = filter(None, map(_HEADER.fullmatch, rest.splitlines()))
    told = {match[1]: match[2] for match in found}
    unknown = set(told) - set(KEYS)
    if unknown or not {"family", "expect"} <= set(told):
        raise AttackError(
            f"{file}: its header must have family and expect, and may have {', '.join(KEYS)}"
        )
    if told.get("kind", "engine") not in KINDS:
        raise AttackError(f"{file}: kind is one of {', '.join(KINDS)}")
    return Attack(
        name=file.stem,
        about=" ".join(about.split()),
        family=told["family"],
        expect=frozenset(told["expect"].split()),
        source=source,
        kind=told.get("kind", "engine"),
        exercise=told.get("exercise", "tiny"),
        seconds=float(told.get("seconds", "5")),
        noted=told.get("noted", ""),
        harms=told.get("harms", ""),
        escapes=told.get("escapes", ""),
    )
