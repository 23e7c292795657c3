"""The commands: options here, work elsewhere, imported only once a command runs."""

import math
from pathlib import Path

import click

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def finite(_: click.Context, __: click.Parameter, number: float | None) -> float | None:
    """No range holds NaN off, since it compares with nothing."""
    if number is not None and not math.isfinite(number):
        raise click.BadParameter(f"{number} is no number")
    return number


@click.group(context_settings=CONTEXT, no_args_is_help=False)
@click.version_option(package_name="autograde", prog_name="grader")
def grader() -> None:
    """Grade small reverse-mode autograd engines, without trusting them.

    \b
    grader grade candidate          grade what a candidate starts from
    grader grade ~/hand-in          grade a folder with a tiny.py in it
    grader guide tiny               what the interviewer needs: questions, hints, model answers
    grader fixtures check           prove that every case is right and can fail
    """  # noqa: D301


@grader.command()
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
@click.option(
    "--sandbox", type=click.Choice(["auto", "bwrap", "process"]), default="auto", show_default=True
)
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
) -> int:
    """Run every case, visible and hidden, and score correctness out of 25.

    ENGINE is candidate, reference, a .py file, a folder, or a library to compare with: torch,
    autograd, micrograd.

    \b
    grader grade candidate
    grader grade ~/hand-in --json grade.json --fail-under 20
    grader grade ~/hand-in --exercise tensor --twist no_grad
    """  # noqa: D301
    from grader.commands.grade import Options, grade_engine

    options = Options(
        engine, exercise, twist, json_file, fail_under, sandbox, memory, budget, jobs, folders
    )
    return grade_engine(options)


@grader.command()
@click.argument("exercise")
@click.option(
    "--html", "html_file", metavar="FILE", help="Write it as one page; - is standard output."
)
def guide(exercise: str, html_file: str | None) -> int:
    """Show what the interviewer needs, and no candidate should see.

    What a strong answer covers, answers to questions, hints in their order, new requirements,
    follow-ups with model answers, the debrief. EXERCISE is the name of a folder of fixtures/.

    \b
    grader guide tiny
    grader guide tiny | less
    grader guide tensor --html guide.html       a page to open, or to print
    """  # noqa: D301
    from grader.commands.guide import show_guide

    return show_guide(exercise, html_file)


@grader.group(no_args_is_help=False)
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
