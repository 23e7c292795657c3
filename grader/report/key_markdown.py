"""The answer key as Markdown: for a file, and for the terminal, which shows the same text."""

import re
from importlib import resources

from grader.key.make import Key
from grader.key.smallest import Apart
from grader.kit.case import Request
from grader.project import read_exercise
from grader.report import template
from grader.report.bugs_terminal import DIFFICULTY

FEW = 6  # names of shared cases that are written out


def markdown(key: Key) -> str:
    """Raises ProjectError, FixtureError."""
    text = (resources.files(__package__) / "key.md.j2").read_text(encoding="utf-8")
    made = template.plain(
        text,
        key=key,
        difficulty=DIFFICULTY,
        few=FEW,
        program=program_lines,
        stages=read_exercise(key.record.exercise).order,
    )
    return re.sub(r"\n{3,}", "\n\n", made)


def program_lines(apart: Apart) -> list[str]:
    """The program as a person writes it."""
    again = ["twice in a row:"] if apart.first else []
    return [*again, *_request_lines(apart.request)]


def _request_lines(request: Request) -> list[str]:
    lines = [f"{request['op']} of {request['output']}, where"]
    lines += [f"  {name} = {value}" for name, value in request["inputs"].items()]
    lines += [f"  {name} = {op}({', '.join(args)})" for name, op, *args in request["steps"]]
    return lines
