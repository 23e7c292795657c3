"""Runs a candidate's tests on one engine after the other; the program that runs in the sandbox.

    python -I -S -B runner.py WORKER_FILE REPORTER_FILE WORK_FOLDER MEMORY WHERE NEEDS PACKAGES...

It imports pytest once, and what the exercise NEEDS (names with commas), and forks a child for each
engine that it is asked for. The child runs the tests in WORK_FOLDER, where they and the engine lie
under the same names each time, and the reporter tells of each.

Frames are as in the worker. One comes unasked, {"runner": "started"} or {"problem": why}. Then each
{"files", "silence": how long a child may say nothing, and what the reporter is asked} is answered
with {"told": [lines], "ended": how, "again": whether this program can be asked again}.

What tests tell of themselves can be a lie: a test can write what it likes, about the engine that it
is run on. It cannot do so about another: the child has none of this program's pipes, and in a
sandbox, where WHERE is `alone`, all its processes are ended before the next child is forked.
"""

import contextlib
import gc
import importlib
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

MOST_TOLD = 2 << 20
MOST_DESCRIPTORS = 4_096
LIMIT_SECONDS = 60.0  # for all tests on one engine
CPU_SECONDS = 120  # of the processor, all threads together
REAP_SECONDS = 1.0
FIRST_IN_SANDBOX = 2  # the process that is started there; 1 is bubblewrap's own
Line = dict[str, Any]


def load(name: str, path: str) -> types.ModuleType:
    """A file as a module, of whatever name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- the child -----------------------------------------------------------------------------------


def in_child(worker: Any, reporter: Any, work: str, memory: int, pipe: int, asked: Line) -> None:
    """Run the tests. Never returns."""
    try:
        os.setsid()
        os.dup2(pipe, 3)  # and no other pipe: one leads to the grader
        os.closerange(4, MOST_DESCRIPTORS)
        worker.limit(memory, CPU_SECONDS)
        os.chdir(work)
        sys.path.insert(0, work)
        reporter.run_tests(3, asked)
    finally:
        os._exit(0)


# --- the parent of the children ------------------------------------------------------------------


def cleaned(work: str) -> bool:
    """Whether everything that was in the folder is gone."""
    for name in os.listdir(work):  # noqa: PTH208
        path = os.path.join(work, name)  # noqa: PTH118
        shutil.rmtree(path, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.unlink(path)  # noqa: PTH108
    return not os.listdir(work)  # noqa: PTH208


def lay_out(work: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = os.path.join(work, name)  # noqa: PTH118
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(text)


def run_once(
    worker: Any, reporter: Any, work: str, memory: int, asked: Line, *, is_alone: bool
) -> Line:
    """Fork a child, listen to it, and leave nothing of it."""
    reporter.prepare(asked["files"])
    lay_out(work, asked.pop("files"))
    back, pipe = os.pipe()
    pid = os.fork()
    if pid == 0:
        in_child(worker, reporter, work, memory, pipe, asked)
    os.close(pipe)
    try:
        told, ended = listen(back, asked["silence"])
        ended = ended or how_it_ended(pid)
    finally:
        os.close(back)
        end(pid, is_alone=is_alone)
    return {"told": told, "ended": ended, "again": cleaned(work)}


def listen(back: int, seconds: float) -> tuple[list[Line], str]:
    """Lines until the child has said all, and how that ended; empty where it has just gone."""
    data = bytearray()
    end = time.monotonic() + LIMIT_SECONDS
    ended = ""
    while not ended:
        left = min(seconds, end - time.monotonic())
        if left <= 0 or not select.select([back], [], [], left)[0]:
            ended = "late"
            break
        chunk = os.read(back, 1 << 16)
        data += chunk
        if not chunk:
            break
        if data.endswith(b"}\n") and b'{"exit": ' in data[-30:]:
            ended = "ended"
        elif len(data) > MOST_TOLD:
            ended = "told too much"
    return lines_in(bytes(data)), ended


def lines_in(data: bytes) -> list[Line]:
    """A line that is no object in JSON is none."""
    lines = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError, RecursionError):
            read = json.loads(line)
            if isinstance(read, dict):
                lines.append(read)
    return lines


def how_it_ended(pid: int) -> str:
    """In words, for a child that has closed its pipe."""
    give_up = time.monotonic() + REAP_SECONDS
    while time.monotonic() < give_up:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            code = os.waitstatus_to_exitcode(status)
            return signal.Signals(-code).name if code < 0 else f"exit code {code}"
        time.sleep(0.001)
    return "it closed its pipe"


def end(pid: int, *, is_alone: bool) -> None:
    """A child may have left its group and had children: in a sandbox, all but this process go."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):  # it has been waited for
        os.waitpid(pid, 0)
    if is_alone and os.getpid() == FIRST_IN_SANDBOX:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def main(
    worker_file: str,
    reporter_file: str,
    work: str,
    memory: str,
    where: str,
    needs: str,
    *packages: str,
) -> None:
    worker = load("worker", worker_file)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    sys.path.extend(packages)  # at the end: the standard library comes first
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"}
    os.environ |= {"HOME": work, "TMPDIR": work}
    try:
        reporter = load("reporter", reporter_file)  # pytest: once, for all the children
        for name in filter(None, needs.split(",")):
            importlib.import_module(name)
    except ImportError as error:
        worker.send(answers, {"problem": f"{error.name} cannot be imported: {error}"})
        return
    os.dup2(nowhere, 2)
    gc.freeze()  # what is here is no garbage of any child's
    worker.send(answers, {"runner": "started"})
    while (asked := worker.received(requests)) is not None:
        told = run_once(worker, reporter, work, int(memory), asked, is_alone=where == "alone")
        worker.send(answers, told)


if __name__ == "__main__":
    main(*sys.argv[1:])
