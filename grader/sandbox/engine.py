"""An engine that runs in a sandboxed worker; a new worker follows one that died."""

import json
import secrets
import time
from collections.abc import Sequence
from typing import Any

from grader.kit.case import Case, Request
from grader.kit.engine import (
    IMPORT_SECONDS,
    Counts,
    Died,
    EngineError,
    EngineFile,
    Faulted,
    InvalidAnswer,
    Outcome,
    TimedOut,
    TooMuchOutput,
    counts_of,
    outcome_of,
    texts_of,
)
from grader.kit.judge import MOST_MESSAGE
from grader.kit.worker import printable
from grader.sandbox.backend import Backend, WorkerFault
from grader.sandbox.frame import Unreadable, read
from grader.sandbox.limits import Limits
from grader.sandbox.live import Closed, Late, LiveWorker, Oversized

START_SECONDS = 10.0
DRIVER_SECONDS = 60.0  # it imports torch, from a disk that may be cold
MOST_MEASURED = 1_000
DEFAULT = Limits()


class SandboxedEngine:
    """Asks the engine of a file. Raises EngineError, on `start`, if it cannot be used at all."""

    patience = 1.0

    def __init__(self, file: EngineFile, backend: Backend, limits: Limits = DEFAULT) -> None:
        self.file = file
        self.backend = backend
        self.limits = limits
        self.import_seconds = IMPORT_SECONDS
        self.worker: LiveWorker | None = None

    def start(self) -> None:
        """Start a worker and load the engine. Raises EngineError, or WorkerFault if it is ours."""
        try:
            worker = self.live_worker()
        except OSError as error:
            raise WorkerFault(f"the worker did not start: {error}") from None
        try:
            self._greet(worker)
        except BaseException:
            worker.kill()
            raise
        self.worker = worker

    def live_worker(self) -> LiveWorker:
        """One that has just been started."""
        return LiveWorker(self.backend.start(self.file, self.limits))

    def _greet(self, worker: LiveWorker) -> None:
        try:
            worker.exchange(b"", DRIVER_SECONDS if self.file.driver else START_SECONDS)
        except (Closed, Late, Oversized):
            raise WorkerFault(f"the worker did not start: {worker.complaint()}") from None
        try:
            problem = read(worker.exchange(b"", self.import_seconds)).get("engine")
        except Late:
            problem = f"was not imported within {self.import_seconds:g} s"
        except Closed:
            if self.backend.is_sealed and worker.was_killed():
                raise WorkerFault("the sandbox itself was killed, from outside") from None
            problem = f"cannot be imported: {worker.how_it_ended()}"
        except (Oversized, Unreadable, AttributeError):
            problem = "sends frames of its own on import"
        if problem != "":
            raise EngineError(printable(f"{self.file}: {problem}")[:MOST_MESSAGE])

    def _ready(self) -> LiveWorker:
        """A worker that has nothing unasked to say. Raises as `start` does."""
        if self.worker is not None and self.worker.has_unasked():
            self.stop()
        if self.worker is None:
            self.start()
        assert self.worker is not None
        return self.worker

    def run(self, case: Case) -> Outcome:
        try:
            worker = self._ready()
        except WorkerFault as fault:
            return Faulted(str(fault))
        except EngineError as error:  # it did load before, so this is its own doing
            return Died(str(error), 0.0)
        start = time.perf_counter()
        outcome, is_alive = _ask(worker, case, start)
        if isinstance(outcome, Died) and self.backend.is_sealed and worker.was_killed():
            outcome = Faulted("the sandbox itself was killed, from outside", outcome.seconds)
        if not is_alive:
            self.stop()
        return outcome

    def counts(self, requests: Sequence[Request], most: int, seconds: float) -> Counts:
        """Unknown where anything but a count comes back: then only running it tells."""
        try:
            worker = self._ready()
        except (WorkerFault, EngineError):
            return Counts(ended="unknown")  # `run` starts it again, and says what is wrong
        counts, is_alive = _count(worker, requests, most, seconds)
        if not is_alive:
            self.stop()
        return counts

    def stop(self) -> None:
        """End the worker, if there is one."""
        if self.worker is not None:
            self.worker.kill()
            self.worker = None


def _ask(worker: LiveWorker, case: Case, start: float) -> tuple[Outcome, bool]:
    """The outcome, and whether the worker can be asked again."""
    request_id = secrets.token_hex(8)
    frame: dict[str, Any] = {"id": request_id, "ask": texts_of(case.requests)}
    resident: list[int | None] = []
    while True:
        left = start + case.seconds - time.perf_counter()
        try:
            body = worker.exchange(json.dumps(frame).encode(), left)
        except Late:
            return TimedOut(time.perf_counter() - start), False
        except Closed:
            return Died(worker.how_it_ended(), time.perf_counter() - start), False
        except Oversized:
            return TooMuchOutput(time.perf_counter() - start), False
        seconds = time.perf_counter() - start
        match _frame_for(request_id, body):
            case {"answer": dict(answer)}:
                return outcome_of(answer, seconds, tuple(resident)), True
            case {"measure": True} if len(resident) < MOST_MEASURED:
                resident.append(worker.resident())
                frame = {"id": request_id, "measured": True}
            case why:
                told = f": {why}" if isinstance(why, str) else ""
                return InvalidAnswer(f"the frame is no answer to the request{told}", seconds), False


def _count(
    worker: LiveWorker, requests: Sequence[Request], most: int, seconds: float
) -> tuple[Counts, bool]:
    """What was counted, and whether the worker can be asked again."""
    request_id = secrets.token_hex(8)
    texts = texts_of(requests)
    frame = {"id": request_id, "count": texts, "most": most}
    try:
        body = worker.exchange(json.dumps(frame).encode(), seconds)
    except Late:
        return Counts(ended="late"), False
    except (Closed, Oversized):
        return Counts(ended="unknown"), False
    match _frame_for(request_id, body):
        case {"answer": answer}:
            return counts_of(answer, len(texts)), True
    return Counts(ended="unknown"), False


def _frame_for(request_id: str, body: bytes) -> Any:
    """What the frame says, or why it says nothing about this request."""
    try:
        frame = read(body)
    except Unreadable as error:
        return str(error)
    return frame if isinstance(frame, dict) and frame.get("id") == request_id else "of another kind"
