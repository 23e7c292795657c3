"""An interviewer's guide as one page that opens from disk: no network, no scripts."""

from importlib import resources

import jinja2

import grader
from grader.project import Exercise
from grader.report.prose import blocks

# Stands within the first bytes of every page, and in no other file.
MARK = b'<meta name="generator" content="autograde guide">'
MARK_WITHIN = 512


def page(exercise: Exercise) -> str:
    """HTML in ASCII, so that no encoding on its way can spoil it. Raises FixtureError."""
    guide = exercise.guide
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = (resources.files(__package__) / "guide.html.j2").read_text(encoding="utf-8")
    template = environment.from_string(text)
    html = template.render(
        exercise=exercise,
        guide=guide,
        blocks=blocks,
        mark=MARK.decode(),
        version=grader.__version__,
    )
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def is_page(start: bytes) -> bool:
    """Whether a file that begins so is a page of ours."""
    return MARK in start[:MARK_WITHIN]
