"""A grade as a picture, for the README: `python -m grader.report.picture` draws it anew.

The picture is what `grader grade candidate` prints here and now; nothing in it is drawn by hand.
"""

import io

from rich.console import Console

from grader.commands.grade import Options, grade_engine
from grader.files import write_text
from grader.project import ROOT

PICTURE = ROOT / "docs" / "grade-candidate.svg"
WIDTH = 92
# Rich's own frame without its web fonts: a page that shows the picture loads nothing else.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>grader grade candidate: a bar for each stage, the points, and a few failures</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture() -> str:
    """The SVG. Its command line is the one that was run."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False
    )
    console.print("[bold green]$[/] grader grade candidate\n")
    grade_engine(Options("candidate"), console)
    return console.export_svg(title="grader grade candidate", code_format=FRAME, unique_id="grade")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    write_text(PICTURE, picture())
    print(f"{PICTURE} written")
