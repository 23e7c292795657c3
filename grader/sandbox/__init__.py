"""Where an engine nobody trusts is run: one backend a file, behind one small interface."""

from grader.sandbox.backend import Backend, Refused, WorkerFault
from grader.sandbox.choose import choose
from grader.sandbox.engine import SandboxedEngine

__all__ = ["Backend", "Refused", "SandboxedEngine", "WorkerFault", "choose"]
