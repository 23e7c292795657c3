"""Trying engines made of the catalogue's bugs on cases, in this process: they are our own."""

import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import FrameType, TracebackType

from grader.bugs import Bug, BugError, apply
from grader.bugs.matrix import signature
from grader.bugs.starter import source_without_follow_ups
from grader.kit.case import Case
from grader.kit.deadline import HAS_ALARM, DeadlinePassed
from grader.kit.depth import asked, patience_for
from grader.kit.engine import (
    EngineError,
    EngineFile,
    InProcessEngine,
    Outcome,
    TimedOut,
    driver_of,
)
from grader.kit.growth import deep_program
from grader.kit.judge import Verdict, judge
from grader.project import FIXTURES, ROOT

PASSED = "passed"
MOST_LATE = 2  # times that an engine may run out of time
PATIENCE = 20.0  # how much longer than processor time the clock may take, on a busy machine
QUICK = 1.0  # seconds of a case's limit
QUICK_STAGES = ("contract", "stage1", "stage2")


def is_quick(case: Case) -> bool:
    """Whether the case is over at once in any engine, also in one with a slow backward."""
    return case.seconds <= QUICK and not case.is_scenario and case.stage in QUICK_STAGES


def fits(exercise: str, bugs: Iterable[Bug]) -> bool:
    """Whether every edit still applies exactly once, and what they make is a program."""
    try:
        source = apply(list(bugs), source_without_follow_ups(exercise))
        compile(source, exercise, "exec", dont_inherit=True)
    except (BugError, SyntaxError):
        return False
    return True


class Trial:
    """Engines with some of the bugs, each loaded once; used in a `with` block."""

    def __init__(self, exercise: str) -> None:
        self.exercise = exercise
        self.base = source_without_follow_ups(exercise)
        self.driver = driver_of(exercise, FIXTURES)
        self.engines: dict[frozenset[str], InProcessEngine] = {}
        self.late: Counter[frozenset[str]] = Counter()
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
                self.engines[key] = InProcessEngine(made, (DeadlinePassed,))
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
        verdict = self.verdict(bugs, case)
        return PASSED if verdict.status == "passed" else signature(verdict)

    def verdict(self, bugs: Iterable[Bug], case: Case) -> Verdict:
        """What becomes of the case in the engine with these bugs. Raises BugError."""
        return judge(case, self.outcome(bugs, case))

    def outcome(self, bugs: Iterable[Bug], case: Case) -> Outcome:
        """What the engine with these bugs answers, as it is graded: a deep program's work counts.

        Else it has the case's seconds of processor time, and the clock has no say: what is drawn by
        a seed must not depend on who else is at work. Bugs that go together can make a loop of what
        neither does alone: such an engine is stopped, and given up when it has run out of time
        twice. Raises BugError then.
        """
        bugs = list(bugs)
        engine, key = self.engine(bugs), frozenset(bug.id for bug in bugs)
        try:
            if deep_program(case) is None:
                with at_most(case.seconds):
                    return engine.run(replace(case, seconds=PATIENCE * case.seconds))
            with at_most(case.seconds * patience_for(engine, case)):
                return asked(engine, case)
        except DeadlinePassed:
            self.late[key] += 1
            if self.late[key] == MOST_LATE:
                raise BugError(f"{', '.join(sorted(key))}: the engine does not end") from None
            return TimedOut(case.seconds)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises DeadlinePassed inside the block once it has had so much processor time.

    On the main thread of a system with alarms only.
    """
    if not HAS_ALARM or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise DeadlinePassed

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
