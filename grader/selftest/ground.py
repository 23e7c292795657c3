"""Where attacks are tried: things worth reaching, and what has become of them afterwards."""

import contextlib
import glob
import hashlib
import os
import secrets
import signal
import socket
import sys
import time
from pathlib import Path

from grader.kit.resident import family
from grader.project import ROOT

PLANTED = "AUTOGRADE_SELFTEST_PLANTED"  # a variable of the environment
DIARY = "Nobody is to read this.\n"
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run")  # noqa: S108
SETTLE_SECONDS = 2.0


class Ground:
    """A home with a diary, another's hand-in, a server, and an eye on processes and files.

    `temp` is an empty folder, and the one for temporary files of this process.
    """

    def __init__(self, folder: Path) -> None:
        self.mark = os.environ.get(PLANTED) or f"selftest_{secrets.token_hex(8)}"
        self.home, self.other, self.temp = folder / "home", folder / "other", folder / "temp"
        for place in (self.home, self.other, self.temp):
            place.mkdir()
        (self.home / "diary.txt").write_text(DIARY, encoding="utf-8")
        (self.other / "tiny.py").write_text("# somebody else's\n", encoding="utf-8")
        self.server = socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(0)
        self.port = self.server.getsockname()[1]
        self.packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.packets.bind(("127.0.0.1", self.port))
        self.packets.settimeout(0)
        self.ours: set[int] = set()
        adopt_orphans()

    def marks(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "OTHER": str(self.other),
            "TEMP": str(self.temp),
            "PORT": str(self.port),
            "GRADER": str(os.getpid()),
            "PROJECT": str(ROOT),
            "USERS": hashlib.sha256(_users()).hexdigest(),
            "MARK": self.mark,
        }

    def processes_left(self) -> int:
        """Those of this process's that are not its own, after a moment; they are ended."""
        until = time.monotonic() + SETTLE_SECONDS
        while (left := running_below(os.getpid()) - self.ours) and time.monotonic() < until:
            time.sleep(0.01)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return len(left)

    def files_left(self) -> int:
        """Those that were not there before; they are removed."""
        found = {*self.temp.iterdir(), *self.home.iterdir()} - {self.home / "diary.txt"}
        for folder in (*SHARED, os.getcwd()):  # noqa: PTH109
            found |= set(map(Path, glob.glob(f"{glob.escape(folder)}/*{self.mark}*")))  # noqa: PTH207
        for path in found:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(found)

    def touched(self) -> str:
        """What was reached from a sandbox, in a word; empty if nothing was."""
        diary = self.home / "diary.txt"
        if not diary.is_file() or diary.read_text(encoding="utf-8") != DIARY:
            diary.write_text(DIARY, encoding="utf-8")
            return "a file was changed"
        connections = packets = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                self.server.accept()[0].close()
                connections += 1
        with contextlib.suppress(BlockingIOError):
            while True:
                self.packets.recv(1)
                packets += 1
        if connections:
            return "a server was reached"
        return "a packet arrived" if packets else ""

    def close(self) -> None:
        self.server.close()
        self.packets.close()


def _users() -> bytes:
    users = Path("/etc/passwd")
    return users.read_bytes() if users.is_file() else b""


def adopt_orphans() -> None:
    """Have those whose parent ends become this process's children: none gets out of sight."""
    if sys.platform == "linux":
        import ctypes

        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def running_below(pid: int) -> set[int]:
    """Processes below this one that have not ended. Empty where the system has no /proc."""
    return {member for member in family(pid)[1:] if not has_ended(member)}


def has_ended(pid: int) -> bool:
    """Also where nobody has asked how."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] in ("Z", "X")
