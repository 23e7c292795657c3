"""`grader grade`."""

import time
from pathlib import Path

import click

from grader.cli.numbers import finite
from grader.cli.sandbox import sandbox_option
from grader.spans import Spans


@click.command()
@click.argument("engine")
@click.option("--exercise", default="tiny", show_default=True, help="Which exercise it answers.")
@click.option(
    "--json", "json_file", metavar="FILE", help="Write the grade as JSON; - is standard output."
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 25),
    callback=finite,
    metavar="POINTS",
    help="Exit 1 below so many of 25 points.",
)
@sandbox_option
@click.option(
    "--memory",
    type=click.IntRange(64),
    default=None,
    help="MiB the engine may use.  [default: the exercise's]",
)
@click.option(
    "--budget",
    type=click.FloatRange(0, 3600, min_open=True),
    callback=finite,
    default=None,
    help="Seconds for the whole hand-in.  [default: the exercise's]",
)
@click.option("--twist", metavar="NAME", help="Grade a new requirement's cases too.")
@click.option(
    "--jobs", type=click.IntRange(1), help="Workers at a time.  [default: one a core, at most 4]"
)
@click.option(
    "--fixtures",
    "folders",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="More cases, in a folder laid out like fixtures/.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, (1 << 63) - 1),
    help="Draw hidden programs too, the same for the same seed.",
)
@click.option(
    "--programs",
    type=click.IntRange(0, 10_000),
    metavar="N",
    help="How many the seed draws.  [default: 60]",
)
@click.option("--profile", is_flag=True, help="Say where the time went.")
def grade(
    engine: str,
    exercise: str,
    json_file: str | None,
    fail_under: float | None,
    sandbox: str,
    memory: int | None,
    budget: float | None,
    twist: str | None,
    jobs: int | None,
    folders: tuple[Path, ...],
    seed: int | None,
    programs: int | None,
    profile: bool,  # noqa: FBT001
) -> int:
    """Run every case, visible and hidden, and score correctness out of 25.

    ENGINE is candidate, reference, a .py file, a folder, or a library to compare with: torch,
    autograd, micrograd.

    \b
    grader grade candidate
    grader grade ~/hand-in --json grade.json --fail-under 20
    grader grade ~/hand-in --exercise tensor --twist no_grad
    grader grade ~/hand-in --seed 7
    grader grade ~/hand-in --profile
    """  # noqa: D301
    spans = Spans()
    # No clock began before the interpreter; but until here it has done nothing but work.
    spans.add("Python and the command line", time.process_time())
    with spans.of("imports"):
        from grader.commands.grade import Options, grade_engine

    options = Options(
        *(engine, exercise, twist, json_file, fail_under, sandbox, memory, budget, jobs, folders),
        *(seed, programs, profile),
    )
    return grade_engine(options, spans=spans)
