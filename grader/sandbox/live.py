"""One started worker, and talking to it in frames with a deadline.

The worker runs code that nobody trusts, so its end of the pipes may do anything: stay silent,
stop reading, send too much, or send what nobody asked for. Time is this side's clock.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import IO, Protocol

from grader.kit.resident import resident_bytes
from grader.kit.worker import FRAME

MOST_ANSWER = 8 << 20
CHUNK = 1 << 16


class Late(Exception):
    """No whole frame before the deadline."""


class Closed(Exception):
    """The other end has closed its pipe: the process is at its end."""


class Oversized(Exception):
    """A frame longer than any answer may be."""


class Process(Protocol):
    """What is used of a worker's process, as of subprocess.Popen; `kill` ends its children too."""

    @property
    def pid(self) -> int:
        """As this process calls it."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal. Raises subprocess.TimeoutExpired."""

    def kill(self) -> None: ...


class Started(subprocess.Popen[bytes]):
    """A command in a session of its own, with those descriptors and that environment only."""

    def __init__(
        self,
        command: list[str],
        inherited: Sequence[int] = (),
        stdin: int = subprocess.PIPE,
        environment: dict[str, str] | None = None,
    ) -> None:
        super().__init__(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment or {},
            start_new_session=True,
            pass_fds=inherited,
        )

    def kill(self) -> None:
        """The whole group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        super().kill()


class LiveWorker:
    """A process that serves frames."""

    def __init__(self, process: Process) -> None:
        self.process = process
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.to = self.process.stdin.fileno()
        self.back = self.process.stdout.fileno()
        os.set_blocking(self.to, False)
        os.set_blocking(self.back, False)

    def exchange(self, body: bytes, seconds: float) -> bytes:
        """Send a frame, or nothing if it is empty, and wait for one. Raises the three above."""
        deadline = time.monotonic() + seconds
        unsent = memoryview(FRAME.pack(len(body)) + body if body else b"")
        received = bytearray()
        poll = select.poll()
        poll.register(self.back, select.POLLIN)
        if unsent:  # mostly it goes at once
            unsent = unsent[self._sent(unsent) :]
        if unsent:
            poll.register(self.to, select.POLLOUT)
        while not _is_whole(received):
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late
            for descriptor, _ in poll.poll(max(1, int(left * 1000))):
                if descriptor == self.back:
                    while not _is_whole(received) and (chunk := self._received(received)):
                        received += chunk
                else:
                    unsent = unsent[self._sent(unsent) :]
                    if not unsent:
                        poll.unregister(self.to)
        return bytes(received[FRAME.size :])

    def _sent(self, unsent: memoryview) -> int:
        try:
            return os.write(self.to, unsent[:CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise Closed from None

    def _received(self, received: bytearray) -> bytes:
        """At most what is missing of the frame: what comes after it is nobody's answer."""
        missing = FRAME.size - len(received)
        if missing <= 0:
            (length,) = FRAME.unpack_from(received)
            missing = FRAME.size + length - len(received)
        try:
            chunk = os.read(self.back, min(missing, CHUNK))
        except BlockingIOError:
            return b""
        if not chunk:
            raise Closed
        if len(received) < FRAME.size <= len(received) + len(chunk):
            (length,) = FRAME.unpack_from(received + chunk)
            if length > MOST_ANSWER:
                raise Oversized
        return chunk

    def has_unasked(self) -> bool:
        """Whether something was sent that no request asked for, or the worker is gone."""
        poll = select.poll()
        poll.register(self.back, select.POLLIN)
        return bool(poll.poll(0))

    def resident(self) -> int | None:
        """Bytes the worker holds, all processes of its sandbox together."""
        return resident_bytes(self.process.pid)

    def how_it_ended(self) -> str:
        """In words, for a process that has closed its pipe."""
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "the engine closed the grader's pipe"
        number = -code if code < 0 else code - 128  # a sandbox hands a signal on as 128 + number
        if number == signal.SIGXCPU:
            return "the engine used more processor time than a hand-in has"
        if number > 0 and number in set(signal.Signals):
            return f"the engine's process was ended by {signal.Signals(number).name}"
        return f"the engine ended its process (exit code {code})"

    def was_killed(self) -> bool:
        """Whether a signal has ended the very process that was started."""
        try:
            return self.process.wait(0.0) < 0
        except subprocess.TimeoutExpired:
            return False

    def complaint(self) -> str:
        """The last line the process wrote to standard error before it had an engine."""
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)
        return last_line(self.process.stderr.read() or b"")

    def kill(self) -> None:
        """End the process and all it has started, at once and for certain."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def last_line(complaint: bytes) -> str:
    lines = complaint.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def _is_whole(received: bytearray) -> bool:
    if len(received) < FRAME.size:
        return False
    (length,) = FRAME.unpack_from(received)
    return len(received) == FRAME.size + int(length)
