"""What a backend is."""

from typing import Protocol

from grader.kit.engine import EngineFile


class Refused(Exception):
    """A backend that cannot run here; the text is one line: why, and what would help."""


class Backend(Protocol):
    """A way to start the worker with less than the grader's own rights."""

    name: str
    warning: str
    """What the reader of a scorecard must know about this backend; empty if nothing."""

    def command(self, engine: EngineFile, memory: int) -> list[str]:
        """The command line that serves the engine with `memory` bytes at most."""
