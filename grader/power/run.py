"""Starting the runner in the sandbox and asking it: one engine after the other, within limits."""

import contextlib
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.kit import worker
from grader.power import runner
from grader.power.suite import Suite
from grader.sandbox import Backend, WorkerFault
from grader.sandbox.bwrap import Bubblewrap, confined, python
from grader.sandbox.live import Closed, Late, LiveWorker, Oversized
from grader.sandbox.packages import packages_of

START_SECONDS = 60.0
ANSWER_SECONDS = runner.LIMIT_SECONDS + 10.0
SCRATCH = 64 << 20  # bytes
WORKER = "/sandbox/worker.py"
RUNNER = "/sandbox/runner.py"
WORK = "/sandbox/work"
SITE = "/sandbox/site-packages"  # hypothesis takes the code in a folder so called for a library's
# What tests may import, beside the standard library and the engine.
FOR_TESTS = ("pytest", "pytest-timeout", "PyYAML", "hypothesis")


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of the tests on one engine, line by line, and how their process ended."""

    lines: tuple[dict[str, Any], ...]
    ended: str


class Runner:
    """Asks a sandboxed runner, and starts another one where it has died. Used in a `with` block."""

    def __init__(
        self, suite: Suite, exercise: str, backend: Backend, memory: int, needs: tuple[str, ...]
    ) -> None:
        self.suite = suite
        self.exercise = exercise
        self.backend = backend
        self.memory = memory
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

    def run(self, source: str, seconds: float, *, reverse: bool = False) -> Told:
        """The tests on the engine of that source. Raises WorkerFault if no runner can be had."""
        if self.worker is None:
            self.worker = self._started()
        asked = {
            "files": {**self.suite.files, f"candidate/{self.exercise}.py": source},
            "seconds": seconds,
            "reverse": reverse,
        }
        try:
            answer = self.worker.exchange(json.dumps(asked).encode(), ANSWER_SECONDS)
            told = json.loads(answer)
            lines = tuple(line for line in told["told"] if isinstance(line, dict))
            return Told(lines, str(told["ended"]))
        except (Closed, Late, Oversized, ValueError, KeyError, TypeError, RecursionError) as error:
            self.stop()  # the tests have got at the runner: the next engine gets a new one
            return Told((), f"lost: {type(error).__name__}")

    def _started(self) -> LiveWorker:
        live = LiveWorker(self._command())
        try:
            greeting = json.loads(live.exchange(b"", START_SECONDS))
        except (Closed, Late, Oversized, ValueError) as error:
            complaint = live.complaint()
            live.kill()
            raise WorkerFault(f"the tests' runner did not start: {complaint}") from error
        if "problem" in greeting:
            live.kill()
            raise WorkerFault(str(greeting["problem"]))
        return live

    def _command(self) -> list[str]:
        script, kit = str(Path(runner.__file__).resolve()), str(Path(worker.__file__).resolve())
        memory = str(self.memory)
        if not isinstance(self.backend, Bubblewrap):
            work = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-"))
            folders = sorted({str(path.parent) for path in self.packages})
            program = os.path.realpath(sys.executable)
            return [
                program,
                "-I",
                "-S",
                "-B",
                script,
                kit,
                os.path.realpath(work),
                memory,
                *folders,
            ]
        mounts = ["--ro-bind", script, RUNNER, "--ro-bind", kit, WORKER]
        for path in self.packages:
            mounts += ["--ro-bind", str(path.resolve()), f"{SITE}/{path.name}"]
        return [
            *confined(self.backend.program),
            *mounts,
            *("--size", str(SCRATCH), "--tmpfs", WORK, "--remount-ro", "/"),
            *("--", python(), "-I", "-S", "-B", RUNNER, WORKER, WORK, memory, SITE),
        ]
