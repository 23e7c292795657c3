"""Trying engines made of the catalogue's bugs on cases, in this process: they are our own."""

import tempfile
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from types import TracebackType

from grader.bugs import Bug, BugError, apply
from grader.bugs.matrix import signature
from grader.bugs.starter import source_without_follow_ups
from grader.kit.case import Case
from grader.kit.engine import EngineError, EngineFile, InProcessEngine, driver_of
from grader.kit.judge import judge
from grader.project import FIXTURES, ROOT

PASSED = "passed"


class Trial:
    """Engines with some of the bugs, each loaded once; used in a `with` block."""

    def __init__(self, exercise: str) -> None:
        self.exercise = exercise
        self.base = source_without_follow_ups(exercise)
        self.driver = driver_of(exercise, FIXTURES)
        self.engines: dict[frozenset[str], InProcessEngine] = {}
        self.folder = tempfile.TemporaryDirectory(prefix="grader-")

    def __enter__(self) -> "Trial":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.folder.cleanup()

    def engine(self, bugs: Iterable[Bug]) -> InProcessEngine:
        """The one with these bugs and no others. Raises BugError where they do not fit together."""
        bugs = list(bugs)
        key = frozenset(bug.id for bug in bugs)
        if key not in self.engines:
            file = Path(self.folder.name) / f"{len(self.engines)}.py"
            file.write_text(apply(bugs, self.base), encoding="utf-8")
            made = EngineFile(file, stands_alone=True, driver=self.driver)
            try:
                self.engines[key] = InProcessEngine(made)
            except EngineError as error:  # each edit fits, and together they are no program
                raise BugError(f"{', '.join(sorted(key))}: {error}") from None
        return self.engines[key]

    @cached_property
    def reference(self) -> InProcessEngine:
        """The model answer, whose construction is another one."""
        file = ROOT / "reference" / f"{self.exercise}.py"
        return InProcessEngine(EngineFile(file, stands_alone=True, driver=self.driver))

    def how(self, bugs: Iterable[Bug], case: Case) -> str:
        """`passed`, or the signature of how the case fails in the engine with these bugs."""
        verdict = judge(case, self.engine(bugs).run(case))
        return PASSED if verdict.status == "passed" else signature(verdict)
