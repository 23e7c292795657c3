"""What a backend is."""

from pathlib import Path
from typing import Protocol

from grader.kit import worker
from grader.kit.engine import EngineFile
from grader.sandbox.limits import Limits
from grader.sandbox.live import Process

WORKER = Path(worker.__file__).resolve()
INSIDE = Path(__file__).resolve().parent / "inside"


class Refused(Exception):
    """A backend that cannot run here; the text is one line: why, and what would help."""


class WorkerFault(Exception):
    """The worker did not come up, for a reason that is not the engine's."""


class Backend(Protocol):
    """A way to start the worker with less than the grader's own rights."""

    name: str
    warning: str
    """What the reader of a scorecard must know about this backend; empty if nothing."""
    is_sealed: bool
    """Whether no engine can reach the process that was started: what kills it is no engine."""

    def start(self, engine: EngineFile, limits: Limits) -> Process:
        """Serve the engine. Raises OSError where nothing can be started."""
