"""Starting the runner in the sandbox and asking it: one engine after the other, within limits."""

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.power import runner
from grader.power.suite import Suite
from grader.sandbox import Backend, WorkerFault
from grader.sandbox.backend import WORKER
from grader.sandbox.bwrap import CPU, SHOWN_WORKER, Bubblewrap, launched, python
from grader.sandbox.filters import Rules
from grader.sandbox.live import Closed, Late, LiveWorker, Oversized, Process, Started
from grader.sandbox.packages import packages_of
from grader.sandbox.process import watched

START_SECONDS = 60.0
GRACE_SECONDS = 5.0
ANSWER_SECONDS = runner.LIMIT_SECONDS + 10.0
SCRATCH = 64 << 20  # bytes
RUNNER = "/sandbox/runner.py"
REPORTER = "/sandbox/reporter.py"
WORK = "/sandbox/work"
SITE = "/sandbox/site-packages"  # hypothesis takes the code in a folder so called for a library's
# What tests may import, beside the standard library and the engine.
FOR_TESTS = ("pytest", "pytest-timeout", "PyYAML", "hypothesis")


@dataclass(frozen=True, slots=True)
class Ask:
    """How the tests are to be run.

    seconds  a test's limit in processor time
    reverse  in the other order
    only     these tests, by their names; None is all of them
    without  not these
    ignore   files that are not to be read
    """

    seconds: float
    reverse: bool = False
    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of the tests on one engine, line by line, and how their process ended.

    `ended` is "ended" if all was told, "late", or else why not, in words.
    """

    lines: tuple[dict[str, Any], ...]
    ended: str


class Runner:
    """Asks a sandboxed runner, and starts another one where it has died. `stop` it when done.

    `memory` is in bytes, `needs` are modules of the engine's beside the standard library's.
    """

    def __init__(
        self, suite: Suite, exercise: str, backend: Backend, memory: int, needs: tuple[str, ...]
    ) -> None:
        self.suite = suite
        self.exercise = exercise
        self.backend = backend
        self.memory = memory
        self.needs = needs
        self.packages = packages_of((*FOR_TESTS, *needs))
        self.worker: LiveWorker | None = None
        self.stack = contextlib.ExitStack()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        if self.worker is not None:
            self.worker.kill()
            self.worker = None
        self.stack.close()

    def run(self, source: str, ask: Ask) -> Told:
        """The tests on the engine of that source. Raises WorkerFault if no runner can be had."""
        if self.worker is None:
            self.worker = self._started()
        files = {**self.suite.files, f"candidate/{self.exercise}.py": source}
        # A test's limit is processor time, which on a busy machine takes longer.
        silence = GRACE_SECONDS + 3 * ask.seconds
        frame = json.dumps({"files": files, "silence": silence, **asdict(ask)}).encode()
        try:
            told, can_go_on = _read(self.worker.exchange(frame, ANSWER_SECONDS))
        except (Closed, Late, Oversized) as error:
            told = Told((), f"the runner was lost ({type(error).__name__})")
            can_go_on = False
        if not can_go_on:  # the tests have got at it: the next engine gets a new one
            self.stop()
        return told

    def _started(self) -> LiveWorker:
        try:
            live = LiveWorker(self._process())
        except OSError as error:
            raise WorkerFault(f"the tests' runner did not start: {error}") from None
        try:
            greeting = json.loads(live.exchange(b"", START_SECONDS))
        except (Closed, Late, Oversized, ValueError):
            complaint = live.complaint()
            live.kill()
            raise WorkerFault(f"the tests' runner did not start: {complaint}") from None
        if "problem" in greeting:
            live.kill()
            raise WorkerFault(f"the tests' runner did not start: {greeting['problem']}")
        return live

    def _process(self) -> Process:
        needs = ",".join(self.needs)
        if isinstance(self.backend, Bubblewrap):
            line = [*self._mounts(), "--size", str(SCRATCH), "--tmpfs", WORK, "--remount-ro", "/"]
            line += ["--", python(), "-I", "-S", "-B", RUNNER, SHOWN_WORKER, REPORTER, WORK]
            line += [str(self.memory), "alone", needs, SITE]
            return launched(self.backend.program, line, Rules(fork=True, exec=True, signal=True))
        work = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-"))
        folders = sorted({str(path.parent) for path in self.packages})
        line = [python(), "-I", "-S", "-B", *watched(Rules(fork=True, exec=True, signal=True))]
        line += [str(_beside("runner.py")), str(WORKER), str(_beside("reporter.py"))]
        line += [os.path.realpath(work), str(self.memory), "among-others", needs, *folders]
        return Started(line)

    def _mounts(self) -> list[str]:
        mounts = ["--ro-bind", str(_beside("runner.py")), RUNNER]
        mounts += ["--ro-bind", str(_beside("reporter.py")), REPORTER]
        mounts += ["--ro-bind", str(WORKER), SHOWN_WORKER]
        for place in CPU if self.needs else ():
            mounts += ["--ro-bind-try", place, place]
        for path in self.packages:
            mounts += ["--ro-bind", str(path.resolve()), f"{SITE}/{path.name}"]
        return mounts


def _beside(name: str) -> Path:
    return Path(__file__).resolve().with_name(name)


def _read(answer: bytes) -> tuple[Told, bool]:
    """What was told, and whether the runner can be asked again."""
    try:
        match json.loads(answer):
            case {"told": list(lines), "ended": str(ended), "again": bool(again)}:
                return Told(tuple(line for line in lines if isinstance(line, dict)), ended), again
    except (ValueError, RecursionError):
        pass
    return Told((), "the runner's answer is none"), False
