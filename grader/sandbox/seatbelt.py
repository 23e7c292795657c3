"""sandbox-exec of macOS: no network, no processes, and of the files Python's own and the engine.

It is deprecated and works; memory is not limited there. See sandbox-exec(1), and for the profile's
language /System/Library/Sandbox/Profiles on any Mac.
"""

import os
import sys
from functools import cache
from pathlib import Path

from grader.kit.engine import EngineFile
from grader.sandbox.backend import INSIDE, WORKER, OtherSystem, Refused, failure
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from grader.sandbox.packages import packages_for

PROGRAM = "/usr/bin/sandbox-exec"
PROBE_SECONDS = 10
SYSTEM = ("/usr/lib", "/System/Library", "/Library/Apple", "/private/var/db/dyld")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Seatbelt:
    """Raises Refused anywhere but on macOS, and where the system does not let it work."""

    name = "seatbelt"
    warning = "memory was not limited: macOS has no such limit"
    is_sealed = True

    def __init__(self) -> None:
        if sys.platform != "darwin":
            raise OtherSystem("sandbox-exec is for macOS only")
        if (refusal := _probe()) is not None:
            raise Refused(f"sandbox-exec does not work here ({refusal}); use a container")

    def start(self, engine: EngineFile, limits: Limits) -> Started:
        path = engine.path.resolve()
        packages = packages_for(engine)
        shown = [path if engine.stands_alone else path.parent, WORKER, INSIDE, *packages]
        shown += [engine.driver.resolve()] if engine.driver else []
        folders = sorted({str(package.parent) for package in packages})
        driver = [str(engine.driver.resolve()), *folders] if engine.driver else []
        told = [str(path), str(limits.memory), str(limits.cpu), *driver]
        inside = [str(INSIDE / "confined.py"), "", "", str(WORKER), *told]
        return Started([*confined(shown), "-I", "-S", "-B", *inside])


def confined(shown: list[Path]) -> list[str]:
    """The command line up to Python itself, which may read these and its own."""
    python = os.path.realpath(sys.executable)
    return [
        PROGRAM,
        "-p",
        profile([*shown, Path(os.path.realpath(sys.base_prefix))], python),
        python,
    ]


def profile(shown: list[Path], python: str) -> str:
    """What is not allowed here is not allowed.

    The supervisor has to fork, so the engine may; what it starts may do no more than it does, and
    ends with its group.
    """
    read = [f"(subpath {_quoted(path)})" for path in (*SYSTEM, *map(str, shown))]
    read += [f"(literal {_quoted(path)})" for path in (*DEVICES, "/")]
    return "\n".join(
        [
            "(version 1)",
            "(deny default)",
            "(allow process-fork)",
            "(allow signal (target same-sandbox))",
            f"(allow process-exec (literal {_quoted(python)}))",
            "(allow sysctl-read)",
            "(allow file-read-metadata)",
            f"(allow file-read* {' '.join(read)})",
            f"(allow file-write-data (literal {_quoted('/dev/null')}))",
        ]
    )


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def _probe() -> str | None:
    """None if Python starts in it, else the reason in its own words."""
    said = failure([*confined([]), "-I", "-S", "-c", ""], PROBE_SECONDS, {})
    return None if said is None else " ".join(said.split())
