"""`grader power`."""

from pathlib import Path

import click


@click.command()
@click.argument("submission", type=click.Path(path_type=Path))
@click.option("--exercise", default="tiny", show_default=True, help="Which engine they test.")
@click.option("--bugs", metavar="ID,ID", help="Only these bugs.  [default: the whole catalogue's]")
@click.option("--json", "json_file", metavar="FILE", help="As data too; - is standard output.")
@click.option(
    "--sandbox", type=click.Choice(["auto", "bwrap", "process"]), default="auto", show_default=True
)
@click.option("--jobs", type=click.IntRange(1), help="Engines at a time.  [default: one a core]")
def power(
    submission: Path,
    exercise: str,
    bugs: str | None,
    json_file: str | None,
    sandbox: str,
    jobs: int | None,
) -> int:
    """Measure the candidate's own tests: SUBMISSION/tests on right engines and on wrong ones.

    They must pass on correct engines of different construction, and should fail on each engine
    with a bug of the catalogue.

    \b
    grader power ~/hand-ins/kim
    grader power ~/hand-ins/kim --bugs tanh-from-input,mean-rows-only
    """  # noqa: D301
    from grader.commands.power import show_power

    return show_power(submission, exercise, bugs, json_file, sandbox, jobs)
