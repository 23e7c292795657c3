"""Ask an engine every case and judge what comes: as many verdicts as cases, whatever happens."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock

from grader.kit.case import Case
from grader.kit.depth import asked
from grader.kit.engine import Engine, Faulted, NotAttempted, Outcome
from grader.kit.judge import Verdict, judge

BUDGET_SECONDS = 20.0
MOST_JOBS = 4


@dataclass(frozen=True, slots=True)
class Budget:
    """Wall time for the whole of a hand-in, so that one that hangs everywhere ends too."""

    seconds: float
    started: float

    @classmethod
    def of(cls, seconds: float) -> "Budget":
        return cls(seconds, time.monotonic())

    def is_spent(self) -> bool:
        return time.monotonic() - self.started >= self.seconds


def jobs_here() -> int:
    """How many workers at a time, where nobody says: one a core, up to a few."""
    return min(MOST_JOBS, os.cpu_count() or 1)


def run_cases(
    cases: list[Case],
    engines: list[Engine],
    budget: Budget,
    on_verdict: Callable[[Verdict], None] = lambda _: None,
) -> list[Verdict]:
    """The verdicts in the order of the cases. Each engine works through them on its own thread.

    The cases with the longest limits come first, so that the threads end together.
    """
    verdicts: dict[int, Verdict] = {}
    longest_first = sorted(enumerate(cases), key=lambda numbered: -numbered[1].seconds)
    queue: Iterator[tuple[int, Case]] = iter(longest_first)
    lock, interrupted = Lock(), Event()

    def work(engine: Engine) -> None:
        while not interrupted.is_set():
            with lock:
                index, case = next(queue, (-1, None))
            if case is None:
                return
            verdict = judge(case, _outcome(engine, case, budget))
            with lock:
                verdicts[index] = verdict
                on_verdict(verdict)

    with ThreadPoolExecutor(len(engines)) as pool:
        try:
            list(pool.map(work, engines))
        except BaseException:
            interrupted.set()
            raise
    return [verdicts[index] for index in range(len(cases))]


def _outcome(engine: Engine, case: Case, budget: Budget) -> Outcome:
    if budget.is_spent():
        return NotAttempted(f"not reached within {budget.seconds:g} s for the whole hand-in")
    try:
        return asked(engine, case)
    except Exception as error:  # noqa: BLE001  (a fault of ours must not cost anybody a verdict)
        return Faulted(f"{type(error).__name__}: {error}")
