"""The answer key as one page that opens from disk: no network, no scripts."""

from importlib import resources

import jinja2

import grader
from grader.key.make import Key
from grader.project import read_exercise
from grader.report.bugs_terminal import DIFFICULTY
from grader.report.key_markdown import program_lines
from grader.report.prose import blocks

MARK = b'<meta name="generator" content="autograde key">'
MARK_WITHIN = 512


def page(key: Key) -> str:
    """HTML in ASCII. Raises ProjectError, FixtureError."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = (resources.files(__package__) / "key.html.j2").read_text(encoding="utf-8")
    html = environment.from_string(text).render(
        key=key,
        difficulty=DIFFICULTY,
        program=program_lines,
        blocks=blocks,
        stages=read_exercise(key.record.exercise).order,
        mark=MARK.decode(),
        version=grader.__version__,
    )
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def is_page(start: bytes) -> bool:
    """Whether a file that begins so is a page of ours."""
    return MARK in start[:MARK_WITHIN]
