"""Running the catalogue's engines on cases: one bug at a time, in the correct engine."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from grader.bugs.catalogue import Bug, apply, base_source
from grader.grade import Budget, run_cases
from grader.kit.case import Case
from grader.kit.engine import EngineFile, driver_of
from grader.kit.judge import Verdict
from grader.project import FIXTURES
from grader.sandbox import Backend, SandboxedEngine
from grader.sandbox.forked import CAN_FORK, ForkedEngine
from grader.sandbox.limits import Limits

ROOMY = Limits(memory=4 << 30)
NO_BUDGET = 3_600.0


def verdicts_with(
    bugs: Iterable[Bug],
    exercise: str,
    cases_for: Callable[[Bug], list[Case]],
    backend: Backend,
    jobs: int,
) -> Iterator[tuple[Bug, list[Verdict]]]:
    """For each bug, what becomes of its cases. Memory is 4 GiB, and there is no budget."""
    for bug in bugs:
        source = apply([bug], base_source(exercise))
        yield bug, verdicts_of(source, exercise, cases_for(bug), backend, jobs)


def verdicts_of(
    source: str, exercise: str, cases: list[Case], backend: Backend, jobs: int
) -> list[Verdict]:
    """What becomes of the cases in an engine of ours."""
    driver = driver_of(exercise, FIXTURES)
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        file = Path(folder) / f"{exercise}.py"
        file.write_text(source, encoding="utf-8")
        made = EngineFile(file, stands_alone=True, driver=driver)
        engines = [
            ForkedEngine(made, ROOMY)
            if CAN_FORK and driver is not None
            else SandboxedEngine(made, backend, ROOMY)
            for _ in range(jobs)
        ]
        try:
            return run_cases(cases, list(engines), Budget.of(NO_BUDGET))
        finally:
            for engine in engines:
                engine.stop()
