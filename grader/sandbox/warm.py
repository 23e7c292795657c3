"""Bubblewrap with a warm start: torch is loaded once, and a fork of it serves each hand-in.

The process that has it loaded runs in a sandbox of its own and never runs a hand-in; each of its
forks has its own files, processes and limits, and no rights: see inside/zygote.py. A start takes
some 20 ms instead of more than a second, and nothing passes from one hand-in to the next.
"""

import contextlib
import json
import os
import select
import socket
import subprocess
import time
from pathlib import Path
from threading import Lock
from typing import IO

from grader.kit.engine import EngineFile
from grader.sandbox.backend import INSIDE, WORKER, WorkerFault
from grader.sandbox.bwrap import HAND_IN, SHOWN_WORKER, Bubblewrap, driven, launched, python
from grader.sandbox.filters import Rules, program
from grader.sandbox.limits import Limits
from grader.sandbox.live import Process, last_line

LOAD_SECONDS = 60.0  # torch, from a disk that may be cold
END_SECONDS = 10.0  # until the kernel has ended what it was told to
KERNEL, ZYGOTE = "/sandbox/kernel.py", "/sandbox/zygote.py"
INT = 4  # bytes
CREDENTIALS = 3 * INT  # struct ucred: process, user, group


class WarmBubblewrap:
    """Loads a driver when it first meets it. `stop` it when done.

    Any thread may start workers. A process with a driver loaded that was lost is replaced, once a
    start. Where the system does not let it make namespaces, every start is a cold one.
    """

    name = "bwrap"
    warning = ""
    is_sealed = True

    def __init__(self, bubblewrap: Bubblewrap) -> None:
        self.bubblewrap = bubblewrap
        self.lock = Lock()
        self.zygotes: dict[Path | None, Zygote] = {}

    def start(self, engine: EngineFile, limits: Limits) -> Process:
        """Raises OSError, or WorkerFault where the driver does not load."""
        asked = {
            "files": files_of(engine),
            "path": f"{HAND_IN}/{engine.path.name}",
            "memory": limits.memory,
            "cpu": limits.cpu,
            "filter": program(Rules()).hex(),
        }
        job = json.dumps(asked).encode()
        with self.lock:
            try:
                return self._zygote(engine).forked(job)
            except OSError:
                self.zygotes.pop(engine.driver).stop()
                return self._zygote(engine).forked(job)
            except Cold:
                return self.bubblewrap.start(engine, limits)

    def _zygote(self, engine: EngineFile) -> "Zygote":
        if engine.driver not in self.zygotes:
            self.zygotes[engine.driver] = Zygote(self.bubblewrap, engine)
        return self.zygotes[engine.driver]

    def stop(self) -> None:
        with self.lock:
            while self.zygotes:
                self.zygotes.popitem()[1].stop()


class Cold(Exception):
    """The system does not let a process in bubblewrap make namespaces of its own."""


def files_of(engine: EngineFile) -> dict[str, str]:
    """The engine's file, or all of its folder, as text that stands for bytes."""
    path = engine.path
    files = [path] if engine.stands_alone else sorted(path.parent.rglob("*"))
    return {
        file.relative_to(path.parent).as_posix(): file.read_bytes().decode("latin-1")
        for file in files
        if file.is_file() and "__pycache__" not in file.parts
    }


class Zygote:
    """The process that is forked. Raises WorkerFault where it does not come up, and Cold."""

    def __init__(self, bubblewrap: Bubblewrap, engine: EngineFile) -> None:
        mounts, told = driven(engine)
        line = ["--ro-bind", str(WORKER), SHOWN_WORKER, *mounts, "--dir", HAND_IN]
        for name, place in (("kernel.py", KERNEL), ("zygote.py", ZYGOTE)):
            line += ["--ro-bind", str(INSIDE / name), place]
        line += [
            "--cap-add",
            "CAP_SYS_ADMIN",
            "--setenv",
            "GLIBC_TUNABLES",
            "glibc.malloc.hugetlb=1",
            "--remount-ro",
            "/",
            "--",
            python(),
            "-I",
            "-S",
        ]
        line += [ZYGOTE, KERNEL, SHOWN_WORKER, HAND_IN, *told]
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # It has to fork, to make namespaces and to mount: its forks are filtered, it is not.
        with theirs:
            self.process = launched(bubblewrap.program, line, None, theirs.fileno())
        self.control.settimeout(LOAD_SECONDS)
        try:
            said = self.control.recv(16)
        except OSError:
            said = b""
        if said != b"ready":
            complaint = self._complaint()
            self.stop()
            raise Cold if said == b"cold" else WorkerFault(f"the worker did not start: {complaint}")

    def forked(self, job: bytes) -> "WarmWorker":
        """Raises OSError."""
        ours, theirs = [], []
        try:
            for is_read_here in (False, False, True, True, False):
                reads, writes = os.pipe()
                ours.append(reads if is_read_here else writes)
                theirs.append(writes if is_read_here else reads)
            status, their_status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            status.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            with their_status:
                socket.send_fds(self.control, [b"."], [*theirs, their_status.fileno()])
        except BaseException:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        with os.fdopen(ours[0], "wb") as file:
            file.write(job)
        return WarmWorker(ours[1], ours[2], ours[3], ours[4], status)

    def _complaint(self) -> str:
        self.process.kill()
        assert self.process.stderr is not None
        return last_line(self.process.stderr.read())

    def stop(self) -> None:
        self.control.close()
        with self.process:  # which closes its pipes, and waits
            self.process.kill()


class WarmWorker:
    """A fork, as far as `LiveWorker` needs a process."""

    def __init__(
        self, to: int, back: int, complaint: int, life: int, status: socket.socket
    ) -> None:
        self.stdin: IO[bytes] | None = os.fdopen(to, "wb", buffering=0)
        self.stdout: IO[bytes] | None = os.fdopen(back, "rb", buffering=0)
        self.stderr: IO[bytes] | None = os.fdopen(complaint, "rb", buffering=0)
        self.life = os.fdopen(life, "wb", buffering=0)
        self.status = status
        self.code: int | None = None
        self.number: int | None = None

    @property
    def pid(self) -> int:
        """As it is called outside its namespace; 0 once it is too late to learn that."""
        deadline = time.monotonic() + END_SECONDS
        while self.number is None and self.code is None and self._heard(deadline):
            pass
        return self.number or 0

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, or -9 if it was ended. Raises subprocess.TimeoutExpired."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.code is None:
            if not self._heard(deadline):
                raise subprocess.TimeoutExpired("fork", timeout or 0.0)
        return self.code

    def _heard(self, deadline: float | None) -> bool:
        """Whether there was something to hear in time. The kernel says who has sent it."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([self.status], [], [], left)[0]:
            return False
        try:
            said, extra, _, _ = self.status.recvmsg(64, socket.CMSG_SPACE(CREDENTIALS))
        except ConnectionResetError:
            said, extra = b"", []
        if said == b"begun":
            self.number = int.from_bytes(extra[0][2][:INT], "little")
        else:
            self.code = int(said) if said else -9
        return True

    def kill(self) -> None:
        """Let go of its life line, and wait until nobody is left of it."""
        if self.life.closed:
            return
        self.life.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(END_SECONDS)
        self.status.close()
