"""The matrix as one page that opens from disk: no network, no scripts."""

from importlib import resources

import jinja2

import grader
from grader.bugs import Bug
from grader.bugs.matrix import Matrix
from grader.kit.case import Case
from grader.report.bugs_terminal import remarks
from grader.report.matrix_layout import HOWS, how_of, in_words, layout

MARK = b'<meta name="generator" content="autograde matrix">'
MARK_WITHIN = 512
CELL_WIDTH, CELL_HEIGHT = 6, 12  # pixels
LABEL_WIDTH = 440
HEAD_HEIGHT = 200


def page(matrix: Matrix, bugs: dict[str, Bug], cases: list[Case]) -> str:
    """HTML in ASCII."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = (resources.files(__package__) / "matrix.html.j2").read_text(encoding="utf-8")
    made = layout(matrix, bugs, cases)
    html = environment.from_string(text).render(
        matrix=matrix,
        layout=made,
        how_of=how_of,
        in_words=in_words,
        hows=[how for how in HOWS if any(how_of(told) == how for _, _, told in made.failures)],
        remarks=remarks(matrix),
        cell=(CELL_WIDTH, CELL_HEIGHT),
        left=LABEL_WIDTH,
        top=HEAD_HEIGHT,
        mark=MARK.decode(),
        version=grader.__version__,
    )
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def is_page(start: bytes) -> bool:
    """Whether a file that begins so is a page of ours."""
    return MARK in start[:MARK_WITHIN]
