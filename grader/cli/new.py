"""`grader new`."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--exercise", default="tiny", show_default=True, help="tiny or tensor.")
@click.option(
    "--seed",
    type=click.IntRange(0, (1 << 63) - 1),
    help="The same seed makes the same kit.  [default: drawn, and printed]",
)
@click.option(
    "--twist", metavar="NAME", help="The new requirement, or none.  [default: drawn by the seed]"
)
@click.option(
    "--start",
    type=click.Choice(["buggy", "skeleton"]),
    help="An engine with bugs, or one to write.  [default: buggy for tiny, skeleton for tensor]",
)
@click.option("--minutes", type=click.IntRange(1, 600), help="[default: the exercise's, 55]")
@click.option("--zip", "as_zip", is_flag=True, help="Write kit.zip too, to send.")
@click.option("--count", type=click.IntRange(1, 10_000), help="So many sessions, a folder each.")
@click.option(
    "--names",
    "names_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A session for each line of the file, in a folder of that name.",
)
def new(
    folder: Path,
    exercise: str,
    seed: int | None,
    twist: str | None,
    start: str | None,
    minutes: int | None,
    as_zip: bool,  # noqa: FBT001
    count: int | None,
    names_file: Path | None,
) -> int:
    """Make a session: FOLDER/kit for the candidate, FOLDER/interviewer for you.

    \b
    grader new kim --seed 7
    grader new kim --exercise tensor --start buggy --twist no_grad --zip
    grader new march --names names.txt --seed 3      a round: march/<name> for each
    """  # noqa: D301
    from grader.commands.new import make_round, make_session
    from grader.session.new import Wish, random_seed

    wish = Wish(
        exercise,
        random_seed() if seed is None else seed,
        twist,
        start,  # type: ignore[arg-type]
        minutes,
        as_zip,
    )
    if count is None and names_file is None:
        return make_session(folder, wish)
    return make_round(folder, wish, count, names_file)
