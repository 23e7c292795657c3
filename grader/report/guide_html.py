"""An interviewer's guide as one page that opens from disk: no network, no scripts."""

from functools import partial

from grader.project import Exercise
from grader.report import template
from grader.report.prose import blocks

# Stands within the first bytes of every page, and in no other file.
MARK = b'<meta name="generator" content="autograde guide">'

is_page = partial(template.has_mark, MARK)


def page(exercise: Exercise) -> str:
    """Raises FixtureError."""
    return template.page(
        "guide.html.j2", MARK, exercise=exercise, guide=exercise.guide, blocks=blocks
    )
