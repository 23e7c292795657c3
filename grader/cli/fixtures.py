"""`grader fixtures`."""

from pathlib import Path

import click


@click.group(no_args_is_help=False)
def fixtures() -> None:
    """Fill in and check the expected results of the cases."""


@fixtures.command()
@click.option("--exercise", default="tiny", show_default=True)
@click.option("--all", "everything", is_flag=True, help="Compute what is there already again, too.")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def fill(exercise: str, everything: bool, folder: Path | None) -> int:  # noqa: FBT001
    """Write expected results into cases that have none, as torch's autograd gives them.

    \b
    grader fixtures fill                    the project's own cases
    grader fixtures fill ~/more-cases       a folder laid out like fixtures/
    """  # noqa: D301
    from grader.commands.fixtures import fill_fixtures

    return fill_fixtures(exercise, folder, everything=everything)


@fixtures.command()
@click.option("--exercise", default="tiny", show_default=True)
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def check(exercise: str, folder: Path | None) -> int:
    """Hold every case to three sources, and to a bug that it catches.

    Torch's autograd, central differences and the reference must agree with what is written; no
    two cases may ask the same; each must fail for at least one bug of the catalogue.

    \b
    grader fixtures check
    """  # noqa: D301
    from grader.commands.fixtures import check_fixtures

    return check_fixtures(exercise, folder)
