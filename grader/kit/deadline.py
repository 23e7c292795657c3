"""A time limit for a call in this process, where the operating system has no alarm signal.

pytest-timeout's alarm interrupts one test and goes on with the next; without SIGALRM, as on
Windows, it can only end the whole run. There, this interrupts the main thread instead. Either is
a convenience: code that swallows every exception is stopped only by the sandbox.
"""

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

HAS_ALARM = hasattr(signal, "SIGALRM")


class DeadlinePassed(BaseException):
    """Raised in the main thread when the time is up."""


@contextlib.contextmanager
def interrupting(seconds: float) -> Iterator[None]:
    """Raises DeadlinePassed inside the block once `seconds` have passed. Main thread only."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise DeadlinePassed

    before = signal.signal(signal.SIGINT, interrupt)
    timer = threading.Timer(seconds, _thread.interrupt_main)
    timer.daemon = True
    try:
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
    finally:  # also where the interrupt comes just as the block has ended
        signal.signal(signal.SIGINT, before)
