"""A library as a hand-in that is driven: it runs in this process, with its own autograd on."""

import contextlib
import os
import time
from types import ModuleType
from typing import Any

from grader.kit import worker
from grader.kit.case import Case
from grader.kit.engine import Outcome, TimedOut, outcome_of
from grader.kit.resident import resident_bytes


class DrivenPeer:
    """`module` is what a hand-in would be; nobody grades its speed, so it has time."""

    patience = 10.0

    def __init__(self, module: ModuleType, driver: ModuleType) -> None:
        self.module = module
        self.driver = driver

    def run(self, case: Case) -> Outcome:
        start = time.perf_counter()
        answer: dict[str, Any] = {}
        resident: list[int | None] = []

        def measure() -> None:
            resident.append(resident_bytes(os.getpid()))

        for request in case.requests:
            try:
                result = self.driver.answer(self.module, request, measure, contextlib.nullcontext)
                answer = worker.plain(result)
            except Exception as error:  # noqa: BLE001  (whatever the library raises is its answer)
                answer = {"raised": worker.described(error, folder="")}
        seconds = time.perf_counter() - start
        is_late = seconds > case.seconds * self.patience
        return TimedOut(seconds) if is_late else outcome_of(answer, seconds, tuple(resident))
