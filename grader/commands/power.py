"""`grader power`: what a candidate's own tests catch."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Lock

from rich.console import Console

from grader.bugs import Bug, catalogue
from grader.commands.errors import BadInput, GraderFault
from grader.commands.target import check_json, write_json
from grader.grade import jobs_here
from grader.kit.strict_yaml import FixtureError
from grader.power.engines import correct_engines
from grader.power.measure import Power, measure
from grader.power.run import Runner
from grader.power.suite import PowerError, suite_in
from grader.project import ProjectError, read_exercise
from grader.report import power_json, power_terminal
from grader.report.terminal import progress
from grader.sandbox import Refused, WorkerFault, choose

MIB = 1 << 20


def show_power(
    submission: Path,
    exercise_name: str,
    only: str | None,
    json_file: str | None,
    sandbox: str = "auto",
    jobs: int | None = None,
    console: Console | None = None,
) -> int:
    """In the terminal, and in `json_file`; - is standard output."""
    check_json(json_file, "result")
    console = console or Console(stderr=json_file == "-", highlight=False)
    power = _measured(submission, exercise_name, only, sandbox, jobs, console)
    power_terminal.show(power, str(submission), console)
    write_json(json_file, lambda: power_json.as_text(power))
    return 0


def _measured(
    submission: Path,
    exercise_name: str,
    only: str | None,
    sandbox: str,
    jobs: int | None,
    console: Console,
) -> Power:
    try:
        exercise = read_exercise(exercise_name)
        bugs = _chosen(exercise_name, only)
        suite = suite_in(submission)
        backend = choose(sandbox, among=["bwrap"])
        with ExitStack() as stack:
            lock = Lock()

            def runner() -> Runner:
                made = Runner(suite, exercise.name, backend, exercise.memory * MIB, exercise.needs)
                with lock:
                    return stack.enter_context(made)

            bar = stack.enter_context(progress(console))
            total = len(bugs) + 2 * len(correct_engines(exercise.name))
            task = bar.add_task("engines", total=total)
            power = measure(
                exercise.name,
                bugs,
                runner,
                jobs or jobs_here(),
                lambda: bar.advance(task),
            )
    except (PowerError, ProjectError, FixtureError, Refused) as error:
        raise BadInput(str(error)) from None
    except WorkerFault as fault:
        raise GraderFault(str(fault)) from None
    if not power.valid and not power.invalid and not power.unread:
        raise BadInput(f"{submission / 'tests'}: pytest finds no test in it")
    warning = backend.warning.replace("the engine ran", "the tests ran")
    notes = [warning] if warning else []
    return replace(power, sandbox=backend.name, notes=(*notes, *suite.notes))


def _chosen(exercise: str, only: str | None) -> list[Bug]:
    """Raises PowerError for one that there is not."""
    known = catalogue(exercise)
    if only is None:
        return list(known.values())
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise PowerError(f"there is no bug {name!r} of {exercise}; grader bugs list shows them")
    if not names:
        raise PowerError("--bugs names no bug; write ids with commas between them")
    return [known[name] for name in dict.fromkeys(names)]
