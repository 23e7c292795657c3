"""`grader bugs`: the catalogue, one bug of it, and the matrix of bugs and cases."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from grader.bugs import Bug, catalogue
from grader.bugs.difficulty import difficulty_of
from grader.bugs.matrix import Matrix, MatrixError, as_data, is_stale, read_matrix, suite
from grader.commands.errors import BadInput
from grader.commands.target import check_target, is_json, write_target
from grader.kit.strict_yaml import FixtureError
from grader.project import ProjectError, read_exercise
from grader.report import bugs_terminal

EXERCISES = ("tiny", "tensor")


def show_list(
    exercise: str,
    kind: str | None,
    stage: str | None,
    *,
    as_json: bool = False,
    console: Console | None = None,
) -> int:
    """The bugs of a kind and a stage, or all."""
    bugs, matrix = _read(exercise)
    kinds = {bug.kind for bug in bugs.values()}
    if kind is not None and not any(kind.lower() in each.lower() for each in kinds):
        raise BadInput(f"no kind has {kind!r} in it; there is {', '.join(sorted(kinds))}")
    stages = dict.fromkeys(bug.stage for bug in bugs.values())
    if stage is not None and stage not in stages:
        raise BadInput(f"there is no bug of a stage {stage!r}; there is {', '.join(stages)}")
    chosen = [
        bug
        for bug in bugs.values()
        if (kind or "").lower() in bug.kind.lower() and stage in (None, bug.stage)
    ]
    difficulty = difficulty_of(exercise)
    if as_json:
        told = [
            {**_as_data(bug), "difficulty": difficulty[bug.id], "fails": matrix.failures[bug.id]}
            for bug in chosen
        ]
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
    else:
        console = console or Console(highlight=False)
        bugs_terminal.show_bugs(chosen, matrix, difficulty, console)
    return 0


def _as_data(bug: Bug) -> dict[str, str]:
    return {name: getattr(bug, name) for name in Bug.__slots__}


def show_bug(bug_id: str, exercise: str | None, console: Console | None = None) -> int:
    """One bug of the exercise, or of whichever has one of that name."""
    for name in (exercise,) if exercise else EXERCISES:
        if bug_id not in _bugs(name):
            continue
        bugs, matrix = _read(name)
        failed: dict[str, list[str]] = {}
        for case in suite(name):
            of_stage = failed.setdefault(case.stage, [])
            if case.name in matrix.failures[bug_id]:
                of_stage.append(case.name)
        bugs_terminal.show_one(
            bugs[bug_id],
            name,
            failed,
            difficulty_of(name)[bug_id],
            console or Console(highlight=False),
        )
        return 0
    near = _near(bug_id, (exercise,) if exercise else EXERCISES)
    raise BadInput(f"there is no bug {bug_id!r}; {near}grader bugs list shows them all")


def _near(bug_id: str, exercises: tuple[str, ...]) -> str:
    import difflib

    known = [bug for exercise in exercises for bug in catalogue(exercise)]
    near = difflib.get_close_matches(bug_id, known, n=3)
    return f"did you mean {' or '.join(near)}? " if near else ""


def show_matrix(
    exercise: str,
    html_file: str | None,
    png_file: str | None,
    json_file: str | None,
    console: Console | None = None,
) -> int:
    """A summary in the terminal, or the whole in files."""
    bugs, matrix = _read(exercise)
    if html_file is None and png_file is None and json_file is None:
        bugs_terminal.show_summary(matrix, bugs, console or Console(highlight=False))
        return 0
    if html_file is not None:
        from grader.report import matrix_html

        _write(html_file, matrix_html.page(matrix, bugs, suite(exercise)), matrix_html.is_page)
    if json_file is not None:
        _write(json_file, json.dumps(as_data(matrix), indent=1) + "\n", is_json)
    if png_file is not None:
        _draw(png_file, matrix, bugs)
    return 0


def _draw(file: str, matrix: Matrix, bugs: dict[str, Bug]) -> None:
    from grader.report import matrix_png

    check_target(Path(file), matrix_png.is_png, "PNG picture")
    try:
        matrix_png.draw(Path(file), matrix, bugs, suite(matrix.exercise))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise BadInput("pictures need matplotlib: pip install 'autograde[report]'") from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be written: {error.strerror or error}") from None
    click.echo(f"{file} written", err=True)


def _write(file: str, text: str, is_ours: Callable[[bytes], bool]) -> None:
    if file == "-":
        sys.stdout.write(text)
        return
    check_target(Path(file), is_ours, "matrix")
    write_target(Path(file), text)
    click.echo(f"{file} written", err=True)


def _bugs(exercise: str) -> dict[str, Bug]:
    try:
        read_exercise(exercise)
        return catalogue(exercise)
    except (FixtureError, ProjectError) as error:
        raise BadInput(str(error)) from None


def _read(exercise: str) -> tuple[dict[str, Bug], Matrix]:
    bugs = _bugs(exercise)
    try:
        matrix = read_matrix(exercise)
        if is_stale(matrix):
            renew = f"python -m grader.bugs.matrix {exercise}"
            raise MatrixError(
                f"bugs or cases have changed since the matrix was measured; renew it: {renew}"
            )
    except (FixtureError, ProjectError, MatrixError) as error:
        raise BadInput(str(error)) from None
    return bugs, matrix
