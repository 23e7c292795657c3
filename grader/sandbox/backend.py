"""What a backend is."""

import subprocess
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


class OtherSystem(Refused):
    """A backend that is made for another operating system: no news to whoever is on this one."""


class WorkerFault(Exception):
    """The worker did not come up, for a reason that is not the engine's."""


def failure(command: list[str], seconds: float, environment: dict[str, str]) -> str | None:
    """None if the command ends well in time, else what it complained of, in its own lines."""
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=seconds, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.strip() or f"exit {done.returncode}"


class Backend(Protocol):
    """A way to start the worker with less than the grader's own rights."""

    name: str
    warning: str
    """What the reader of a scorecard must know about this backend; empty if nothing."""
    is_sealed: bool
    """Whether no engine can reach the process that was started: what kills it is no engine."""

    def start(self, engine: EngineFile, limits: Limits) -> Process:
        """Serve the engine. Raises OSError where nothing can be started."""
