"""`grader bench`: engines and libraries side by side, in a table, as data and as a page."""

import os
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from grader.bench.benchmark import WORKLOADS, Benchmark, measured, rounds_of
from grader.bench.contestants import FOR_TENSOR, ONE_THREAD, RIVALS, Absent, Contestant, contestant
from grader.bench.measure import TITLES
from grader.commands.errors import BadInput, GraderFault
from grader.commands.target import check_json, check_target, write_json, write_target
from grader.kit.engine import EngineError
from grader.project import ProjectError, read_exercise
from grader.report import bench_json, bench_terminal
from grader.report.terminal import progress
from grader.sandbox import Refused, WorkerFault

NO_LIBRARY = "--json needs pytest-benchmark, whose format it is: pip install 'autograde[bench]'"
SECONDS = 20.0  # of the clock, for one lap


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `grader bench`. No engines are the project's own and
    every library, no workloads are all.
    """

    engines: tuple[str, ...] = ()
    exercise: str = "tiny"
    workloads: tuple[str, ...] = ()
    deepest: int = 100_000
    width: int = 2
    rounds: int = 5
    sandbox: str = "auto"
    json_file: str | None = None
    html_file: str | None = None


def compare_engines(options: Options, console: Console | None = None) -> int:
    """The exit code: 0 if any engine could be measured."""
    check_json(options.json_file, "benchmark")
    if options.json_file is not None and find_spec("pytest_benchmark") is None:
        raise BadInput(NO_LIBRARY)
    _check_html(options.html_file)
    console = console or Console(stderr=options.json_file == "-", highlight=False)
    benchmark = _measured(options, console)
    bench_terminal.show(benchmark, console)
    write_json(options.json_file, lambda: bench_json.as_text(benchmark))
    if options.html_file is not None:
        _write_html(options.html_file, benchmark)
        console.print(f"\n{options.html_file} written", markup=False, soft_wrap=True)
    return 0


def _check_html(file: str | None) -> None:
    if file is not None:
        from grader.report import bench_html  # its template engine takes a while to load

        check_target(Path(file), bench_html.is_page, "benchmark")


def _write_html(file: str, benchmark: Benchmark) -> None:
    from grader.report import bench_html

    write_target(Path(file), bench_html.page(benchmark))


def _measured(options: Options, console: Console) -> Benchmark:
    os.environ.update(ONE_THREAD)  # before anything loads a library that reads them
    workloads = tuple(dict.fromkeys(options.workloads or WORKLOADS))
    laps = options.deepest, options.rounds
    try:
        read_exercise(options.exercise)
        with ExitStack() as stack, progress(console) as bar:
            task = bar.add_task("starting", total=rounds_of(workloads, *laps))
            contestants, absent = _contestants(options, stack)

            def on_lap(workload: str, engine: str, size: int) -> None:
                told = f"{TITLES[workload].lower()}, {size:,}: {engine}"
                bar.update(task, description=told)

            return measured(
                *(options.exercise, options.width, contestants, absent, workloads, *laps),
                *(on_lap, lambda: bar.advance(task)),
            )
    except (EngineError, ProjectError, Refused) as error:
        raise BadInput(str(error)) from None
    except WorkerFault as fault:
        raise GraderFault(str(fault)) from None


def _contestants(options: Options, stack: ExitStack) -> tuple[list[Contestant], dict[str, str]]:
    """Those that can be measured, and why the others cannot. Raises BadInput without any."""
    found: list[Contestant] = []
    absent: dict[str, str] = {}
    for name in dict.fromkeys(options.engines or _all(options.exercise)):
        arguments = (name, options.exercise, options.width, options.sandbox, SECONDS, stack)
        try:
            found.append(contestant(*arguments))
        except Absent as why:
            absent[name] = str(why)
    if not found:
        raise BadInput("; ".join(absent.values()))
    return found, absent


def _all(exercise: str) -> tuple[str, ...]:
    return ("reference", "candidate", *(RIVALS if exercise == "tiny" else FOR_TENSOR))
