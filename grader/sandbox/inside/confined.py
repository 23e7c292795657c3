"""Runs the worker in a child of its own, and ends it when whoever asks is gone.

Run as `python -I -S confined.py KERNEL FILTER WORKER ARGUMENTS...`: kernel.py beside this file, or
nothing where the system is not Linux; the filter of system calls in hexadecimal; the worker's file,
and what it is to be told.

This file stands alone. It is for places where the kernel does not end an engine by itself once the
grader has been killed: a plain process, macOS's sandbox, a container. It watches from a process
that runs no line of the engine's.
"""

import os
import select
import signal
import sys
from typing import Any

POLL_MILLISECONDS = 200


def main(kernel: str, program: str, worker: str, *arguments: str) -> None:
    """Ends with the worker's exit code, or 128 + n where signal n ended it."""
    parent, here = os.getppid(), os.getpid()
    ended, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(ended)
        os.close(wakes)
        _become(here, kernel, program, worker, arguments)
    os.close(1)  # or nobody would see that the worker has closed it
    os._exit(_watch(child, parent, ended))


def _become(parent: int, kernel: str, program: str, worker: str, told: tuple[str, ...]) -> None:
    code = 1
    try:
        if kernel:
            calls = _run(kernel, "kernel")
            calls["die_with_parent"](parent)
            calls["filter_calls"](bytes.fromhex(program))
        sys.argv = [worker, *told]
        _run(worker, "__main__")
        code = 0
    except BaseException:  # noqa: BLE001  (it is told as at the end of any program)
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


def _run(path: str, name: str) -> dict[str, Any]:
    with open(path, "rb") as file:  # noqa: PTH123  (pathlib would double the start-up time)
        names: dict[str, Any] = {"__name__": name, "__file__": path}
        exec(compile(file.read(), path, "exec", dont_inherit=True), names)  # noqa: S102
    return names


def _watch(child: int, parent: int, ended: int) -> int:
    """The child's exit code; all of the group are killed once the other end has hung up."""
    poll = select.poll()
    poll.register(0, 0)  # nothing is read here: only whether the other end is there
    poll.register(ended, select.POLLIN)
    while True:
        happened = dict(poll.poll(POLL_MILLISECONDS))
        if 0 in happened or os.getppid() != parent:
            os.killpg(0, signal.SIGKILL)
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if ended in happened:
            os.read(ended, 64)


if __name__ == "__main__":
    main(*sys.argv[1:])
