"""Loads once what is slow to load, and forks a worker from itself for each hand-in.

Run as `python -I -S zygote.py KERNEL WORKER FOLDER [DRIVER PACKAGES...]` under bubblewrap, with the
right to make namespaces inside it. Standard input is a socket. A byte comes with six descriptors:

    job        what to run, as JSON: {"files": {name: text in latin-1}, "path", "memory", "cpu",
               "filter": in hexadecimal}
    requests   where the worker reads its frames
    answers    where it writes them
    complaint  standard error, until an engine runs
    life       a pipe: once its other end is closed, everything of this hand-in ends
    status     a socket: b"begun" from the worker, whose process whoever is outside learns by that,
               and in the end its exit code

This program runs no line of a hand-in and never holds one in memory: a child of its reads the job,
mounts FOLDER for itself and forks twice more. The first of these is 1 in a process namespace of its
own, watches, and takes all the others with it when it ends; the second gives up every right and
becomes the worker.

This file stands alone.
"""

import gc
import json
import os
import resource  # noqa: F401  (the worker's limits need it: loaded once, here)
import select
import signal
import socket
import sys
import types
from typing import Any

ROOM = 16 << 20  # bytes of files
MOST_DESCRIPTORS = 4_096
PASSED = 6


def main(kernel: str, worker: str, folder: str, driver: str = "", *packages: str) -> None:
    """Until the socket is closed."""
    control = socket.socket(fileno=0)
    os.environ.pop("GLIBC_TUNABLES", None)  # it has done its work
    calls, serving = _module(kernel), _module(worker)
    if not _can_separate(calls, folder):
        control.send(b"cold")
        return
    driven = serving.load_driver(driver, packages) if driver else None
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel forgets our children by itself
    gc.collect()
    calls.use_large_pages(map(id, gc.get_objects()))
    gc.freeze()  # what is here now is no garbage of any engine's
    control.send(b"ready")
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, PASSED)
        if not descriptors:
            return
        if os.fork() == 0:
            control.close()
            _begin(calls, serving, driven, folder, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _module(path: str) -> Any:
    module = types.ModuleType("_inside")
    with open(path, "rb") as file:  # noqa: PTH123
        exec(compile(file.read(), path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    return module


def _can_separate(calls: Any, folder: str) -> bool:
    """Whether the system lets us do in a child what each of them has to do."""
    pid = os.fork()
    if pid == 0:
        try:
            calls.new_namespaces()
            _lay_out(calls, folder, {})
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def _begin(calls: Any, serving: Any, driven: Any, folder: str, descriptors: list[int]) -> None:
    """In a child of the zygote's: make room for the hand-in, and fork who watches it."""
    code = 1
    try:
        job, requests, answers, complaint, life, status = descriptors
        os.dup2(complaint, 2)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        calls.new_namespaces()
        with os.fdopen(job, "rb") as file:
            asked = json.loads(file.read())
        _lay_out(calls, folder, asked["files"])
        if os.fork() == 0:
            ended = _ended()
            if os.fork() == 0:
                os.close(life)
                _become(calls, serving, driven, folder, asked, (requests, answers, status))
            os.close(requests)
            os.close(answers)
            _watch(life, ended, status)
        code = 0
    except BaseException:  # noqa: BLE001  (it is told as at the end of any program)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _lay_out(calls: Any, folder: str, files: dict[str, str]) -> None:
    calls.mount_memory(folder, ROOM)
    for name, text in files.items():
        path = os.path.join(folder, name)  # noqa: PTH118
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(text.encode("latin-1"))
    calls.make_readonly(folder)


def _ended() -> int:
    """A pipe that can be read once a child has ended."""
    ended, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    return ended


def _watch(life: int, ended: int, status: int) -> None:
    """As process 1 of the namespace: whatever a child has left is handed to it."""
    poll = select.poll()
    poll.register(life, 0)
    poll.register(ended, select.POLLIN)
    while True:
        happened = dict(poll.poll())
        if life in happened:
            os._exit(0)  # the kernel ends all the others
        os.read(ended, 64)
        pid, how = os.waitpid(-1, os.WNOHANG)
        while pid:
            if pid == 2:  # the worker: the first process after this one
                code = os.waitstatus_to_exitcode(how)
                os.write(status, str(code if code >= 0 else 128 - code).encode())
                os._exit(0)
            pid, how = os.waitpid(-1, os.WNOHANG)


def _become(
    calls: Any,
    serving: Any,
    driven: Any,
    folder: str,
    asked: dict[str, Any],
    descriptors: tuple[int, int, int],
) -> None:
    """The worker, with no rights and nothing open but its frames."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        requests, answers, status = descriptors
        os.setsid()
        os.write(status, b"begun")
        os.dup2(requests, 0)
        os.dup2(answers, 1)
        os.closerange(3, MOST_DESCRIPTORS)
        os.chdir(folder)
        calls.drop_capabilities()
        serving.limit(asked["memory"], asked["cpu"])
        calls.filter_calls(bytes.fromhex(asked["filter"]))
        serving.serve_on_standard(asked["path"], driven)
        code = 0
    except BaseException:  # noqa: BLE001
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
