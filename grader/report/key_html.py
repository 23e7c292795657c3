"""The answer key as one page that opens from disk: no network, no scripts."""

from functools import partial

from grader.key.make import Key
from grader.project import read_exercise
from grader.report import template
from grader.report.bugs_terminal import DIFFICULTY
from grader.report.key_markdown import program_lines
from grader.report.prose import blocks

MARK = b'<meta name="generator" content="autograde key">'

is_page = partial(template.has_mark, MARK)


def page(key: Key) -> str:
    """Raises ProjectError, FixtureError."""
    return template.page(
        "key.html.j2",
        MARK,
        key=key,
        difficulty=DIFFICULTY,
        program=program_lines,
        blocks=blocks,
        stages=read_exercise(key.record.exercise).order,
    )
