"""How much memory a process holds: looked at from outside, never asked of the process."""

import subprocess
import sys
from pathlib import Path

PS_SECONDS = 5


def resident_bytes(pid: int) -> int | None:
    """Of the process and all its descendants; None where this system does not tell.

    What a process has handed to a child it still holds.
    """
    if sys.platform == "linux":
        return sum(map(_resident_on_linux, family(pid)))
    if sys.platform == "win32":
        return None
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PS_SECONDS, check=True)
        return int(done.stdout) * 1024
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def family(pid: int) -> list[int]:
    """The process, all that it has started, and what those have. Itself alone without a /proc."""
    members = [pid]
    for member in members:  # grows on the way
        for children in _threads(member):
            members += map(int, _text(children).split())
    return members


def _threads(pid: int) -> list[Path]:
    """Where each thread's children are listed; none for a process that has just ended."""
    try:
        return [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []


def _resident_on_linux(pid: int) -> int:
    """VmRSS of /proc/PID/status, proc_pid_status(5); 0 for a process that has just ended."""
    for line in _text(Path(f"/proc/{pid}/status")).splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:  # it is over
        return ""
