"""A guide's texts in pieces, for whoever shows them.

Blank lines stand between paragraphs; lines indented by four spaces are code, and so is what stands
between `backticks`.
"""

import re
from dataclasses import dataclass
from itertools import groupby

INDENT = "    "
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to be shown as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Pieces of one line of any length; every second one, the second first, is code."""

    pieces: tuple[str, ...]


def blocks(text: str) -> list[Code | Paragraph]:
    """The text from top to bottom."""
    found: list[Code | Paragraph] = []
    for kind, lines in groupby(text.splitlines(), key=_kind):
        if kind == "words":
            found.append(paragraph(" ".join(line.strip() for line in lines)))
        elif kind == "code":
            code = "\n".join(line.removeprefix(INDENT) for line in lines)
            if found and isinstance(last := found[-1], Code):  # only blank lines in between
                found[-1] = Code(f"{last.text}\n\n{code}")
            else:
                found.append(Code(code))
    return found


def paragraph(line: str) -> Paragraph:
    return Paragraph(tuple(_CODE.split(line)))


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    return "code" if line.startswith(INDENT) else "words"
