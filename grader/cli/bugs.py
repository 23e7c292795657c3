"""`grader bugs`."""

import click

exercise_option = click.option(
    "--exercise", default="tiny", show_default=True, help="Whose catalogue."
)


@click.group(no_args_is_help=False)
def bugs() -> None:
    """Look at the catalogue of bugs, and at which case catches which."""


@bugs.command("list")
@exercise_option
@click.option("--kind", metavar="WORDS", help="Only kinds with these words in them.")
@click.option("--stage", metavar="STAGE", help="Only what belongs to this stage.")
@click.option("--json", "as_json", is_flag=True, help="For programs, on standard output.")
def list_bugs(exercise: str, kind: str | None, stage: str | None, as_json: bool) -> int:  # noqa: FBT001
    """List bugs: stage, difficulty, kind, and how many cases fail because of each.

    \b
    grader bugs list
    grader bugs list --kind broadcasting --exercise tensor
    """  # noqa: D301
    from grader.commands.bugs import show_list

    return show_list(exercise, kind, stage, as_json=as_json)


@bugs.command()
@click.argument("bug_id", metavar="ID")
@click.option("--exercise", default=None, help="Whose catalogue.  [default: whichever has it]")
def show(bug_id: str, exercise: str | None) -> int:
    """Show one bug: cause, hint, the edit, the cases that fail, and who met it before.

    \b
    grader bugs show tanh-from-input
    """  # noqa: D301
    from grader.commands.bugs import show_bug

    return show_bug(bug_id, exercise)


@bugs.command()
@exercise_option
@click.option("--html", "html_file", metavar="FILE", help="Write it as a page; - is stdout.")
@click.option("--png", "png_file", metavar="FILE", help="Write it as a picture.")
@click.option("--json", "json_file", metavar="FILE", help="Write it as data; - is stdout.")
def matrix(
    exercise: str, html_file: str | None, png_file: str | None, json_file: str | None
) -> int:
    """Show which case fails for which bug.

    Without options, a summary; the whole is a page, a picture, or data.

    \b
    grader bugs matrix
    grader bugs matrix --html matrix.html
    grader bugs matrix --exercise tensor --png matrix.png
    """  # noqa: D301
    from grader.commands.bugs import show_matrix

    return show_matrix(exercise, html_file, png_file, json_file)
