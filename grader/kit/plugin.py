"""The pytest side: fixture files become test items that ask an engine. Hooks only.

pytest -k stage1                        the candidate's engine, stage 1
pytest --engine reference -k stage1     another engine: a name, a file or a folder
pytest --engine=/some/where             one that lies elsewhere
"""

import bdb
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.kit.case import Case, FixtureError, names_in, read_cases, suite_of
from grader.kit.deadline import HAS_ALARM, DeadlinePassed, interrupting
from grader.kit.engine import (
    Engine,
    EngineError,
    InProcessEngine,
    Outcome,
    TimedOut,
    driver_of,
    find_engine,
)
from grader.kit.judge import judge
from grader.kit.render import failure

BAR = 24
LET_THROUGH = (
    KeyboardInterrupt,
    DeadlinePassed,
    bdb.BdbQuit,
    pytest.fail.Exception,  # pytest-timeout's
    pytest.exit.Exception,
)

engines_key = pytest.StashKey[dict[str, Engine]]()


class CaseFailed(Exception):
    """A case did not pass; the text is the report."""


class Hooks:
    @pytest.hookspec(firstresult=True)
    def pytest_autograde_engine(self, name: str, exercise: str) -> Engine | None:
        """The engine called `name`, from a project that has more than files to offer."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograde")
    group.addoption(
        "--engine",
        default="candidate",
        metavar="ENGINE",
        help="the engine to run: a folder beside fixtures/, or the path of a file or folder",
    )
    group.addoption(
        "--hidden", action="store_true", help="run the hidden cases too, where there are any"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[engines_key] = {}
    config.pluginmanager.register(Tally(), "autograde-tally")


def pytest_report_header(config: pytest.Config) -> str:
    return f"engine: {config.getoption('engine')}"


# --- collecting ----------------------------------------------------------------------------------


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_hidden = (
        collection_path.name == "hidden" and collection_path.parent.parent.name == "fixtures"
    )
    return True if is_hidden and not config.getoption("hidden") else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if suite_of(file_path) is None:
        return None
    return CaseFile.from_parent(parent, path=file_path)


class CaseFile(pytest.File):
    """A fixture file. It is parsed when the first of its cases has been chosen to run."""

    parsed: dict[str, Case] | None = None

    def collect(self) -> Iterator["CaseItem"]:
        for name, line in names_in(self.path) or self.none_named():
            yield CaseItem.from_parent(self, name=name, line=line)

    def none_named(self) -> list[tuple[str, int]]:
        return [(case.name, case.line) for case in read_cases(self.path)]

    def case(self, name: str) -> Case:
        if self.parsed is None:
            self.parsed = {case.name: case for case in read_cases(self.path)}
        return self.parsed[name]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        if isinstance(excinfo.value, FixtureError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class CaseItem(pytest.Item):
    """One case, run on the engine that `--engine` names."""

    parent: CaseFile

    def __init__(self, *, line: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.line = line

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name

    def prepare(self) -> None:
        """Give the case its time limit. What is broken is reported when the case runs."""
        with contextlib.suppress(FixtureError, EngineError):
            case = self.parent.case(self.name)
            seconds = seconds_for(engine_for(self.config, case.path), case)
            self.add_marker(pytest.mark.timeout(seconds, func_only=True))

    def runtest(self) -> None:
        case = self.parent.case(self.name)
        engine = engine_for(self.config, case.path)
        seconds = seconds_for(engine, case)
        guard = contextlib.nullcontext() if HAS_ALARM else interrupting(seconds)
        try:
            with guard:
                outcome = asked(engine, case)
        except (pytest.fail.Exception, DeadlinePassed):
            outcome = TimedOut(seconds)
        verdict = judge(case, outcome)
        if verdict.status != "passed":
            # With the engine's own traceback, so that --pdb opens where the engine raised.
            caught = getattr(engine, "caught", None)
            raise CaseFailed(failure(verdict)).with_traceback(caught and caught.__traceback__)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed | FixtureError | EngineError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


def seconds_for(engine: Engine, case: Case) -> float:
    """How long a case may take until it can be called hanging."""
    if case.is_short:
        return case.seconds * engine.patience
    from grader.kit.depth import patience_for  # what no other stage needs

    return case.seconds * patience_for(engine, case)


def asked(engine: Engine, case: Case) -> Outcome:
    if case.is_short:
        return engine.run(case)
    from grader.kit import depth

    return depth.asked(engine, case)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What `-k` has left over is worth parsing; and an engine that will not load is said once."""
    chosen = [item for item in session.items if isinstance(item, CaseItem)]
    if session.config.option.collectonly:
        return
    # A worker of pytest-xdist cannot speak for all.
    is_worker = hasattr(session.config, "workerinput")
    for path in {item.path.parents[2]: item.path for item in chosen}.values():
        try:
            engine_for(session.config, path)
        except EngineError as error:
            if not is_worker:
                raise pytest.UsageError(str(error)) from None
    if HAS_ALARM:
        for item in chosen:
            item.prepare()


# --- the engine ----------------------------------------------------------------------------------


def engine_for(config: pytest.Config, fixture: Path) -> Engine:
    """For the exercise that a fixture file belongs to. Raises EngineError with one line."""
    exercises = fixture.parents[2]
    exercise = exercises.name
    engines = config.stash[engines_key]
    if exercise not in engines:
        name = config.getoption("engine")
        given: Engine | None = config.hook.pytest_autograde_engine(name=name, exercise=exercise)
        if given is None:
            driver = driver_of(exercise, exercises.parent)
            file = find_engine(name, exercise, (Path.cwd(), config.rootpath), driver)
            given = InProcessEngine(file, LET_THROUGH)
        engines[exercise] = given
    return engines[exercise]


# --- the end of a run ----------------------------------------------------------------------------


class Tally:
    """Counts the cases of each stage, to close a run with a bar for each."""

    def __init__(self) -> None:
        self.stages: dict[str, list[int]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Also called where pytest-xdist has run the item in another process.
        if report.when != "call":
            return
        suite = suite_of(Path(report.nodeid.partition("::")[0]))
        if suite is not None:
            passed_and_asked = self.stages.setdefault(suite.stage, [0, 0])
            passed_and_asked[0] += report.passed
            passed_and_asked[1] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.stages:
            terminalreporter.write_line("")
        for stage in sorted(self.stages):
            passed, asked = self.stages[stage]
            filled = BAR * passed // asked
            bar = "#" * filled + "." * (BAR - filled)
            terminalreporter.write_line(f"{stage:<10} [{bar}] {passed} of {asked}")
