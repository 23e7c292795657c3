"""`grader grade`: from the command line to a grade on the screen and in a file."""

import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from grader.commands.errors import BadInput, GraderFault
from grader.commands.target import check_target, write_target
from grader.engines import Opened, open_engines
from grader.grade import Budget, run_cases
from grader.kit.engine import EngineError
from grader.kit.judge import Verdict
from grader.kit.strict_yaml import FixtureError
from grader.project import FIXTURES, ProjectError, read_exercise, read_suite
from grader.report import grade_json, terminal
from grader.sandbox import Refused, WorkerFault
from grader.score import Grade, score

MOST_JOBS = 4
FAULT = 3
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `grader grade`.

    `memory` is in MiB, `budget` in seconds; None is what the exercise says.
    """

    engine: str
    exercise: str = "tiny"
    twist: str | None = None
    json_file: str | None = None
    fail_under: float | None = None
    sandbox: str = "auto"
    memory: int | None = None
    budget: float | None = None
    jobs: int | None = None
    folders: tuple[Path, ...] = ()


def grade_engine(options: Options, console: Console | None = None) -> int:
    """The exit code: 0, 1 below --fail-under, 3 if the grader itself failed on a case."""
    if options.json_file not in (None, "-"):
        check_target(Path(str(options.json_file)), is_grade, "grade")
    # Where standard output is for the JSON, people read standard error.
    console = console or Console(stderr=options.json_file == "-", highlight=False)
    grade = _graded(options, console)
    terminal.show(grade, console)
    if options.json_file == "-":
        sys.stdout.write(grade_json.as_text(grade))
    elif options.json_file:
        write_target(Path(options.json_file), grade_json.as_text(grade))
    if grade.points is None:
        return FAULT
    return int(options.fail_under is not None and not grade.points >= options.fail_under)


def _graded(options: Options, console: Console) -> Grade:
    try:
        exercise = read_exercise(options.exercise)
        if options.twist is not None:
            exercise = exercise.with_twist(options.twist)
        with ExitStack() as stack:
            # The sandbox comes up while the cases are read.
            pool = stack.enter_context(ThreadPoolExecutor(1))
            opening = pool.submit(
                open_engines,
                *(options.engine, options.exercise, options.sandbox),
                (options.memory or exercise.memory) * MIB,
                _jobs(options),
            )
            stack.callback(_stop, opening)
            cases = read_suite(exercise, [FIXTURES, *options.folders])
            opened = opening.result()
            progress = stack.enter_context(terminal.progress(console))
            task = progress.add_task(options.engine, total=len(cases))

            def on_verdict(_: Verdict) -> None:
                progress.advance(task)

            budget = Budget.of(options.budget or exercise.budget)
            verdicts = run_cases(cases, opened.engines, budget, on_verdict)
    except (EngineError, FixtureError, ProjectError, Refused) as error:
        raise BadInput(str(error)) from None
    except WorkerFault as fault:
        raise GraderFault(str(fault)) from None
    return score(exercise, options.engine, opened.sandbox, verdicts, opened.warnings)


def _stop(opening: Future[Opened]) -> None:
    if opening.exception() is None:
        opening.result().stop()


def _jobs(options: Options) -> int:
    return options.jobs or min(MOST_JOBS, os.cpu_count() or 1)


def is_grade(start: bytes) -> bool:
    return start.startswith(b"{")
