"""`grader grade`: from the command line to a grade on the screen and in a file."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from grader.commands.errors import BadInput, GraderFault
from grader.commands.target import check_json, write_json
from grader.engines import Opened, open_engines
from grader.grade import Budget, jobs_here, run_cases
from grader.kit.case import Case
from grader.kit.engine import EngineError
from grader.kit.judge import Verdict
from grader.kit.strict_yaml import FixtureError
from grader.project import FIXTURES, Exercise, ProjectError, read_exercise, read_suite
from grader.report import grade_json, terminal
from grader.sandbox import Refused, WorkerFault
from grader.sandbox.limits import Limits
from grader.score import Grade, score
from grader.spans import Spans

FAULT = 3
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `grader grade`.

    `memory` is in MiB, `budget` in seconds; None is what the exercise says. So many `programs` are
    drawn by a seed; None is 60 with a seed, and without one there are none.
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
    seed: int | None = None
    programs: int | None = None
    profile: bool = False


def grade_engine(
    options: Options, console: Console | None = None, spans: Spans | None = None
) -> int:
    """The exit code: 0, 1 below --fail-under, 3 if the grader itself failed on a case."""
    if options.programs and options.seed is None:
        raise BadInput("--programs draws programs by a seed; give one, --seed 7")
    check_json(options.json_file, "grade")
    # Where standard output is for the JSON, people read standard error.
    console = console or Console(stderr=options.json_file == "-", highlight=False)
    spans = spans or Spans()
    grade = _graded(options, console, spans)
    with spans.of("printing"):
        terminal.show(grade, console)
        write_json(options.json_file, lambda: grade_json.as_text(grade))
    if options.profile:
        from grader.report import spans_terminal

        spans_terminal.show(spans, console)
    if grade.points is None:
        return FAULT
    return int(options.fail_under is not None and not grade.points >= options.fail_under)


def _graded(options: Options, console: Console, spans: Spans) -> Grade:
    try:
        exercise = read_exercise(options.exercise)
        if options.twist is not None:
            exercise = exercise.with_twist(options.twist)
        with ExitStack() as stack:
            budget = options.budget or exercise.budget
            # The sandbox comes up while the cases are read.
            pool = stack.enter_context(ThreadPoolExecutor(1))
            opening = pool.submit(_opened, options, exercise, budget, spans)
            stack.callback(_stop, opening)
            with spans.of("drawing programs"):
                drawn = _drawn(options)
            with spans.of("reading cases"):
                cases = [*read_suite(exercise, [FIXTURES, *options.folders]), *drawn]
                cases.sort(key=lambda case: exercise.order.index(case.stage))
            with spans.of("waiting for the sandbox"):
                opened = opening.result()
            progress = stack.enter_context(terminal.progress(console))
            task = progress.add_task(options.engine, total=len(cases))

            def on_verdict(_: Verdict) -> None:
                progress.advance(task)

            with spans.of("asking and judging"):
                verdicts = run_cases(cases, opened.engines, Budget.of(budget), on_verdict)
            answering = sum(verdict.outcome.seconds for verdict in verdicts)
            spans.add("answers of the engine", answering / len(opened.engines), beside=True)
    except (EngineError, FixtureError, ProjectError, Refused) as error:
        raise BadInput(str(error)) from None
    except WorkerFault as fault:
        raise GraderFault(str(fault)) from None
    notes = list(opened.warnings)
    if drawn:
        notes.append(f"generated: {len(drawn)} programs of seed {options.seed}")
    grade = score(exercise, options.engine, opened.sandbox, verdicts, notes)
    if drawn:
        grade = replace(grade, seed=options.seed)
    with spans.of("diagnosis"):
        return _diagnosed(grade, console)


def _opened(options: Options, exercise: Exercise, budget: float, spans: Spans) -> Opened:
    with spans.of("starting the sandbox", beside=True):
        return open_engines(
            *(options.engine, options.exercise, options.sandbox),
            Limits.of((options.memory or exercise.memory) * MIB, budget),
            options.jobs or jobs_here(),
        )


def _diagnosed(grade: Grade, console: Console) -> Grade:
    """With what the failures are consistent with; where that cannot be told, a note says why."""
    if all(verdict.status == "passed" for verdict in grade.verdicts):
        return grade
    from grader.bugs.matrix import MatrixError
    from grader.diagnosis import diagnose

    try:
        with terminal.busy(console, "comparing the failures with known bugs"):
            return replace(grade, diagnosis=diagnose(grade.exercise, grade.verdicts))
    except MatrixError as error:
        return replace(grade, notes=(*grade.notes, f"no diagnosis: {error}"))


def _drawn(options: Options) -> list[Case]:
    if options.seed is None or options.programs == 0:
        return []
    from grader.generate import PROGRAMS, generate
    from grader.generate.draft import Disagreement

    try:
        return generate(options.exercise, options.seed, options.programs or PROGRAMS, options.twist)
    except Disagreement as parting:
        raise GraderFault(str(parting)) from None


def _stop(opening: Future[Opened]) -> None:
    if opening.exception() is None:
        opening.result().stop()
