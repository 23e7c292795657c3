"""`grader key`."""

from pathlib import Path

import click


@click.command()
@click.argument("session", type=click.Path(path_type=Path))
@click.option("--json", "json_file", metavar="FILE", help="As data too; - is standard output.")
def key(session: Path, json_file: str | None) -> int:
    """Show the answer key of SESSION, and write it beside: interviewer/key.md and key.html.

    Each bug with its edit and its cause, the cases that fail because of it, which of them have
    another cause too, the smallest inputs that tell causes apart, an order, hints, and the new
    requirement.

    \b
    grader key kim
    grader key kim | less
    """  # noqa: D301
    from grader.commands.key import show_key

    return show_key(session, json_file)
