"""The matrix as a picture, drawn by matplotlib."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from grader.bugs import Bug
from grader.bugs.matrix import Matrix
from grader.files import write_bytes
from grader.kit.case import Case
from grader.report.matrix_layout import HOWS, Layout, how_of, layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PNG = b"\x89PNG"
COLOURS = ("#1a6a75", "#c9711d", "#7a4fa3", "#b3303a", "#6b7280")
INCHES_A_CASE, INCHES_A_BUG = 0.055, 0.115
MARGIN = 4.0  # inches for names
DPI = 110


def draw(file: Path, matrix: Matrix, bugs: dict[str, Bug], cases: list[Case]) -> None:
    """Raises ModuleNotFoundError without matplotlib, OSError where it cannot be written."""
    from matplotlib.figure import Figure

    made = layout(matrix, bugs, cases)
    size = (
        MARGIN + INCHES_A_CASE * len(made.cases),
        1.5 + INCHES_A_BUG * len(made.bugs),
    )
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    for how, colour in zip(HOWS, COLOURS, strict=True):
        points = [(column, row) for row, column, told in made.failures if how_of(told) == how]
        if points:
            x, y = zip(*points, strict=True)
            axes.scatter(x, y, marker="s", s=13, linewidths=0, color=colour, label=how)
    _label(axes, made)
    axes.set_title(
        f"{matrix.exercise}: {len(made.bugs)} bugs, {len(made.cases)} cases; a mark is a failure"
    )
    if made.failures:
        figure.legend(loc="outside lower center", ncols=len(HOWS), frameon=False)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=DPI)
    write_bytes(file, picture.getvalue())


def _label(axes: "Axes", made: Layout) -> None:
    axes.set_xlim(-1, len(made.cases))
    axes.set_ylim(len(made.bugs), -1)
    axes.set_yticks(range(len(made.bugs)), [bug.id for bug in made.bugs], fontsize=6)
    middles = [(stage.start + stage.end - 1) / 2 for stage in made.stages]
    axes.set_xticks(middles, [stage.name for stage in made.stages], fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for stage in made.stages[1:]:
        axes.axvline(stage.start - 0.5, color="#d0cec8", linewidth=0.8)
    for kind in made.kinds[1:]:
        axes.axhline(kind.start - 0.5, color="#d0cec8", linewidth=0.8)
    for spine in axes.spines.values():
        spine.set_visible(False)


def is_png(start: bytes) -> bool:
    return start.startswith(PNG)
