"""`grader guide`: what an interviewer has at hand, in the terminal or as a page."""

import sys
from pathlib import Path

import click
from rich.console import Console

from grader.commands.errors import BadInput
from grader.commands.target import check_target, write_target
from grader.kit.strict_yaml import FixtureError
from grader.project import ProjectError, read_exercise
from grader.report import guide_terminal


def show_guide(exercise_name: str, html_file: str | None, console: Console | None = None) -> int:
    """In the terminal, or as a page in `html_file`; - is standard output."""
    try:
        exercise = read_exercise(exercise_name)
        if html_file is None:
            guide_terminal.show(exercise, console or Console(highlight=False))
            return 0
        from grader.report import guide_html  # its template engine takes a while to load

        if html_file != "-":
            check_target(Path(html_file), guide_html.is_page, "guide")
        page = guide_html.page(exercise)
    except (FixtureError, ProjectError) as error:
        raise BadInput(str(error)) from None
    if html_file == "-":
        sys.stdout.write(page)
    else:
        write_target(Path(html_file), page)
        click.echo(f"{html_file} written")
    return 0
