"""A pytest plugin that tells of each test in a line of JSON, and stops one that takes too long.

Stands alone: it imports the standard library and pytest, and lies beside the tests in the sandbox.
Each line is one of

    {"reading": file}                 a file of tests is about to be imported
    {"unread": node, "why"}           it could not be
    {"begun": test}
    {"test", "when", "outcome", "why", "seconds"}
                                      when: setup, call or teardown; those that passed are told of
                                      for the call only; an outcome is pytest's or timed_out
    {"exit": code}                    the last one
"""

import contextlib
import io
import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

MOST_TEXT = 300
AGAIN_SECONDS = 0.1  # a test may catch what stops it, and is stopped again
LINE = dict[str, Any]


class OutOfTime(BaseException):
    """A test took longer than it may; no `except Exception` of its own gets hold of it."""


class Reporter:
    """`seconds` is a test's limit in processor time, so that a busy machine costs nobody a test.

    What sleeps uses none: whoever listens ends a process that has been silent for too long.
    """

    def __init__(self, pipe: int, asked: LINE) -> None:
        self.pipe = pipe
        self.seconds = asked["seconds"]
        self.reverse = asked["reverse"]
        self.only = asked["only"]
        self.without = set(asked["without"])
        self.process = os.getpid()
        self.is_late = False
        self.whys: dict[str, str] = {}

    def tell(self, line: LINE) -> None:
        if os.getpid() != self.process:  # a test has forked, and its child has returned
            return
        data = json.dumps(line).encode() + b"\n"
        while data:
            data = data[os.write(self.pipe, data) :]

    # --- collecting ------------------------------------------------------------------------------

    def pytest_sessionstart(self) -> None:
        """The first conftest.py has been read: what is written from here on is nobody's."""
        sys.stderr = sys.__stderr__

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if collector.nodeid.endswith(".py"):
            self.tell({"reading": collector.nodeid})

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.tell({"unread": report.nodeid, "why": last_line(str(report.longrepr))})

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        only = None if self.only is None else set(self.only)
        items[:] = [
            item
            for item in items
            if (only is None or item.nodeid in only) and item.nodeid not in self.without
        ]
        if self.reverse:
            items.reverse()

    # --- running ---------------------------------------------------------------------------------

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.is_late = False
        self.whys = {}
        seed(f"{nodeid} {self.reverse}")
        self.tell({"begun": nodeid})

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self) -> Iterator[None]:
        with self.limited():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        with self.limited():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        with self.limited():
            return (yield)

    @contextlib.contextmanager
    def limited(self) -> Iterator[None]:
        signal.signal(signal.SIGPROF, self.stop)
        signal.setitimer(signal.ITIMER_PROF, self.seconds, AGAIN_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def stop(self, *_: object) -> None:
        self.is_late = True
        raise OutOfTime

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Iterator[None]:
        if call.excinfo is not None:
            self.whys[call.when] = why(call.excinfo)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed and not self.is_late:
            return
        self.tell(
            {
                "test": report.nodeid,
                "when": report.when,
                "outcome": "timed_out" if self.is_late else report.outcome,
                "why": "" if report.passed else self.why_of(report),
                "seconds": report.duration,
            }
        )

    def why_of(self, report: pytest.TestReport) -> str:
        if hasattr(report, "wasxfail"):
            return "it is expected to fail"
        if report.skipped and isinstance(report.longrepr, tuple):
            return str(report.longrepr[2])[:MOST_TEXT]
        return self.whys.get(report.when) or last_line(str(report.longrepr))


def why(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """In a line: where in the test, and what the exception says."""
    try:
        said = next(iter(excinfo.exconly(tryshort=True).split("\n")), "")
    except Exception:  # noqa: BLE001  (it can be of a class with any code in it)
        said = excinfo.typename
    home = os.getcwd()  # noqa: PTH109
    for entry in excinfo.traceback:
        path = os.path.relpath(str(entry.path), home)
        if path.startswith("tests" + os.sep):
            return f"{path}:{entry.lineno + 1}: {said}"[:MOST_TEXT]
    return said[:MOST_TEXT]


def last_line(text: str) -> str:
    """Of what pytest prints of an error, that is the exception."""
    lines = [line for line in text.splitlines() if line.strip()]
    return (lines[-1] if lines else "it failed").removeprefix("E").strip()[:MOST_TEXT]


def seed(text: str) -> None:
    """The same draws each time for the same test on whichever engine, others in the other order."""
    random.seed(text)
    if (torch := sys.modules.get("torch")) is not None:
        torch.manual_seed(random.getrandbits(32))
        random.seed(text)


def prepare(files: dict[str, str]) -> None:
    """In the process that is forked: Hypothesis, where it is used, draws the same each time."""
    if "hypothesis" in sys.modules or not any("hypothesis" in text for text in files.values()):
        return
    with contextlib.suppress(ImportError):
        from hypothesis import settings

        settings.register_profile("power", deadline=None, derandomize=True, database=None)
        settings.load_profile("power")


def run_tests(pipe: int, asked: LINE) -> None:
    """All of them in the folder that this process is in."""
    reporter = Reporter(pipe, asked)
    options = ["-q", "-s", "--tb=native", "--continue-on-collection-errors", "-c", os.devnull]
    options += ["-p", "no:cacheprovider", "-p", "pytest_timeout"]
    options += [f"--ignore={file}" for file in asked["ignore"]]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = int(pytest.main([*options, "--rootdir", ".", "tests"], plugins=[reporter]))
    if code == pytest.ExitCode.USAGE_ERROR:  # a conftest.py that cannot be imported
        reporter.tell({"unread": "tests/conftest.py", "why": last_line(said.getvalue())})
    reporter.tell({"exit": code})
