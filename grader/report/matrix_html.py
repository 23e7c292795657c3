"""The matrix as one page that opens from disk: no network, no scripts."""

from functools import partial

from grader.bugs import Bug
from grader.bugs.matrix import Matrix
from grader.kit.case import Case
from grader.report import template
from grader.report.bugs_terminal import remarks
from grader.report.matrix_layout import HOWS, how_of, in_words, layout

MARK = b'<meta name="generator" content="autograde matrix">'
CELL_WIDTH, CELL_HEIGHT = 6, 12  # pixels
LABEL_WIDTH = 440
HEAD_HEIGHT = 200

is_page = partial(template.has_mark, MARK)


def page(matrix: Matrix, bugs: dict[str, Bug], cases: list[Case]) -> str:
    """Every bug and every case, in a drawing and in words."""
    made = layout(matrix, bugs, cases)
    return template.page(
        "matrix.html.j2",
        MARK,
        matrix=matrix,
        layout=made,
        how_of=how_of,
        in_words=in_words,
        hows=[how for how in HOWS if any(how_of(told) == how for _, _, told in made.failures)],
        remarks=remarks(matrix),
        cell=(CELL_WIDTH, CELL_HEIGHT),
        left=LABEL_WIDTH,
        top=HEAD_HEIGHT,
    )
