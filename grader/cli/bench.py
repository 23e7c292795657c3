"""`grader bench`."""

import click

from grader.cli.sandbox import sandbox_option

WORKLOADS = ("residual", "chain", "wide", "small")


@click.command()
@click.argument("engines", nargs=-1, metavar="[ENGINE ...]")
@click.option("--exercise", default="tiny", show_default=True, help="Which exercise they answer.")
@click.option(
    "--workload",
    "workloads",
    type=click.Choice(WORKLOADS),
    multiple=True,
    help="What to run; may be given again.  [default: all four]",
)
@click.option(
    "--deepest",
    type=click.IntRange(3, 1_000_000),
    default=100_000,
    show_default=True,
    help="The largest size that is tried.",
)
@click.option(
    "--width",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many numbers are in a row.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="How often each size is measured.",
)
@sandbox_option
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="Write what pytest-benchmark's compare reads; - is standard output.",
)
@click.option("--html", "html_file", metavar="FILE", help="Write a page with plots.")
def bench(
    engines: tuple[str, ...],
    exercise: str,
    workloads: tuple[str, ...],
    deepest: int,
    width: int,
    rounds: int,
    sandbox: str,
    json_file: str | None,
    html_file: str | None,
) -> int:
    """Compare engines and libraries: how long forward and backward take, and how that grows.

    ENGINE is candidate, reference, a .py file, a folder, or a library: torch, autograd, micrograd,
    mygrad, jax. Without any, it is the project's own two and every library that is installed.

    \b
    grader bench
    grader bench reference ~/hand-in torch --html bench.html
    grader bench reference torch --workload residual --width 8
    grader bench reference torch --exercise tensor --json bench.json
    """  # noqa: D301
    from grader.commands.bench import Options, compare_engines

    return compare_engines(
        Options(
            *(engines, exercise, workloads, deepest, width, rounds, sandbox),
            *(json_file, html_file),
        )
    )
