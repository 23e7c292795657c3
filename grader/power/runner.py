"""Runs a candidate's tests on one engine after the other; the program that runs in the sandbox.

    python -I -S -B runner.py WORKER_FILE WORK_FOLDER MEMORY PACKAGES_FOLDER...

It imports pytest once, and forks a child for each engine that it is asked for. A child has the
tests and the engine in a folder made for it, runs them, and tells of each as it happens. Imports
the standard library and pytest, and the worker's few functions for frames and limits.

Frames are as in the worker. One comes unasked, {"runner": "started"} or {"problem": why}. Then each
{"files", "engine", "seconds", "reverse"} is answered with {"told": [...], "ended": how}: what was
told, line by line, and how the child ended. What tests say of themselves can be a lie: a test can
write what it likes, about the engine that it is run on and no other.
"""

import contextlib
import importlib.util
import json
import os
import select
import shutil
import signal
import sys
import time
import types
from typing import Any

MOST_TOLD = 4 << 20
MOST_TEXT = 300
GRACE_SECONDS = 2.0  # beyond a test's own limit, before it is ended from outside
LIMIT_SECONDS = 60.0  # for all of them on one engine
Line = dict[str, Any]


def load_worker(path: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("worker", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class OutOfTime(BaseException):
    """A test took longer than it may; no `except Exception` of its own gets hold of it."""


class Reporter:
    """A pytest plugin that tells of each test, and stops one that takes too long."""

    def __init__(self, pipe: int, seconds: float, *, reverse: bool) -> None:
        self.pipe = pipe
        self.seconds = seconds
        self.reverse = reverse
        self.is_late = False

    def tell(self, line: Line) -> None:
        data = json.dumps(line).encode() + b"\n"
        while data:
            data = data[os.write(self.pipe, data) :]

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.reverse:
            items.reverse()

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tell({"unread": report.nodeid, "why": last_line(report)})

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.is_late = False
        self.tell({"begun": nodeid})

    def pytest_runtest_setup(self) -> None:
        signal.signal(signal.SIGALRM, self.stop)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def stop(self, *_: object) -> None:
        self.is_late = True
        raise OutOfTime

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "teardown":
            signal.setitimer(signal.ITIMER_REAL, 0)
        if report.when != "call" and report.passed:
            return
        outcome = "timed_out" if self.is_late else report.outcome
        self.tell(
            {
                "test": report.nodeid,
                "when": report.when,
                "outcome": outcome,
                "why": last_line(report) if report.failed else "",
                "seconds": report.duration,
            }
        )


def last_line(report: Any) -> str:
    """What went wrong, in a line: the exception's own words and where in the tests it came up."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        place = f"{os.path.basename(str(crash.path))}:{crash.lineno}"  # noqa: PTH119
        return f"{place}: {str(crash.message).splitlines()[0] if crash.message else ''}"[:MOST_TEXT]
    lines = [line for line in str(report.longrepr).splitlines() if line.strip()]
    return (lines[-1] if lines else "it failed").removeprefix("E").strip()[:MOST_TEXT]


# --- the child -----------------------------------------------------------------------------------


def in_child(worker: Any, work: str, memory: int, pipe: int, asked: Line) -> None:
    """Run the tests. Never returns."""
    code = 70
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        worker.limit(memory)
        os.chdir(work)
        sys.path.insert(0, work)
        import pytest

        reporter = Reporter(pipe, asked["seconds"], reverse=asked["reverse"])
        options = ["-q", "-p", "no:cacheprovider", "--rootdir", work, "-c", "pytest.ini", "tests"]
        code = int(pytest.main(options, plugins=[reporter]))
        reporter.tell({"exit": code})
    finally:
        os._exit(code)


def lay_out(work: str, files: dict[str, str]) -> None:
    """The folder as it is to be, whatever an earlier child has left in it."""
    for name in os.listdir(work):  # noqa: PTH208
        path = os.path.join(work, name)  # noqa: PTH118
        if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)  # noqa: PTH108
    for name, text in {**files, "pytest.ini": "[pytest]\n"}.items():
        path = os.path.join(work, name)  # noqa: PTH118
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(text)


# --- the parent of the children ------------------------------------------------------------------


def run_once(worker: Any, work: str, memory: int, asked: Line) -> Line:
    """Fork a child, listen to it, and end it."""
    lay_out(work, asked["files"])
    back, pipe = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(back)
        in_child(worker, work, memory, pipe, asked)
    os.close(pipe)
    try:
        told, ended = listen(back, asked["seconds"] + GRACE_SECONDS)
    finally:
        os.close(back)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if ended == "ended":
        code = os.waitstatus_to_exitcode(status)
        ended = f"signal {-code}" if code < 0 and not is_done(told) else "ended"
    return {"told": told, "ended": ended}


def is_done(told: list[Line]) -> bool:
    return bool(told) and "exit" in told[-1]


def listen(back: int, seconds: float) -> tuple[list[Line], str]:
    """Lines until the child has said all, or is silent for too long, or talks too much."""
    data = bytearray()
    end = time.monotonic() + LIMIT_SECONDS
    ended = "ended"
    while True:
        left = min(seconds, end - time.monotonic())
        if left <= 0 or not select.select([back], [], [], left)[0]:
            ended = "late"
            break
        chunk = os.read(back, 1 << 16)
        data += chunk
        if not chunk or (data.endswith(b"}\n") and b'{"exit": ' in data[-30:]):
            break
        if len(data) > MOST_TOLD:
            ended = "talked too much"
            break
    told = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            read = json.loads(line)
            if isinstance(read, dict):
                told.append(read)
    return told, ended


def main(worker_file: str, work: str, memory: str, *packages: str) -> None:
    worker = load_worker(worker_file)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    sys.path.extend(packages)
    try:
        import pytest  # noqa: F401  (once, for all the children)
    except ImportError as error:
        worker.send(answers, {"problem": f"pytest cannot be imported: {error}"})
        return
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HOME"] = work
    worker.send(answers, {"runner": "started"})
    while (asked := worker.received(requests)) is not None:
        worker.send(answers, run_once(worker, work, int(memory), asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
