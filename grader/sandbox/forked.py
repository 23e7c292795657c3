"""Engines that are ours, run in copies of this very process: no sandbox, but at once.

Loading torch takes a second; a fork of a process that has it takes milliseconds. That is for the
catalogue's engines, of which there are many and which nobody needs protection from. They may hang
and crash like any other.
"""

import contextlib
import gc
import os
import subprocess
import sys
import time
from types import ModuleType
from typing import IO

from grader.kit import worker
from grader.kit.engine import EngineFile, load_driver
from grader.sandbox.engine import SandboxedEngine
from grader.sandbox.limits import Limits
from grader.sandbox.live import LiveWorker
from grader.sandbox.process import PlainProcess

CAN_FORK = sys.platform == "linux"  # elsewhere system libraries do not stand it
MOST_DESCRIPTORS = 4_096
POLL_SECONDS = 0.001


class ForkedEngine(SandboxedEngine):
    """Asks a trusted engine in a fork of this process. Raises EngineError as any other."""

    def __init__(self, file: EngineFile, limits: Limits) -> None:
        super().__init__(file, PlainProcess(), limits)
        self.driver = _driver(file)

    def live_worker(self) -> LiveWorker:
        return LiveWorker(_forked(str(self.file.path), self.limits, self.driver))


_drivers: dict[str, ModuleType] = {}


def _driver(file: EngineFile) -> ModuleType | None:
    """Loaded once: that is the point of forking."""
    if file.driver is None:
        return None
    path = str(file.driver.resolve())
    if path not in _drivers:
        _drivers[path] = load_driver(file.driver)
    return _drivers[path]


class Child:
    """A forked process, as far as `LiveWorker` needs one."""

    def __init__(self, pid: int, to: int, back: int) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = os.fdopen(to, "wb", buffering=0)
        self.stdout: IO[bytes] | None = os.fdopen(back, "rb", buffering=0)
        self.stderr: IO[bytes] | None = open(os.devnull, "rb")  # noqa: PTH123, SIM115
        self.code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal. Raises subprocess.TimeoutExpired."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.code is None:
            pid, status = os.waitpid(self.pid, 0 if deadline is None else os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("fork", timeout or 0.0)
            else:
                time.sleep(POLL_SECONDS)
        return self.code

    def kill(self) -> None:
        if self.code is None:
            os.kill(self.pid, 9)
            with contextlib.suppress(ProcessLookupError):  # it had no group of its own yet
                os.killpg(self.pid, 9)


def _forked(path: str, limits: Limits, driver: ModuleType | None) -> Child:
    theirs_in, to = os.pipe()
    back, theirs_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setsid()
            os.dup2(theirs_in, 0)
            os.dup2(theirs_out, 1)
            os.closerange(3, MOST_DESCRIPTORS)
            gc.freeze()  # what was here before is no garbage of the engine's
            worker.limit(limits.memory, limits.cpu)
            worker.serve_on_standard(path, driver)
            code = 0
        finally:
            os._exit(code)
    os.close(theirs_in)
    os.close(theirs_out)
    return Child(pid, to, back)
