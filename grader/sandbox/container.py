"""docker or podman, where one of them runs: the worker in a container of an image with Python.

The image is not fetched: https://docs.docker.com/reference/cli/docker/container/run says what each
option does. A container takes some tenths of a second to start.
"""

import os
import secrets
import shutil
import subprocess
import sys
from functools import cache

from grader.kit.engine import EngineFile
from grader.sandbox.backend import INSIDE, WORKER, Refused, failure
from grader.sandbox.filters import Rules, program
from grader.sandbox.limits import MIB, Limits
from grader.sandbox.live import Started

PROGRAMS = ("docker", "podman")
IMAGE = "AUTOGRADE_IMAGE"
DEFAULT = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
PROBE_SECONDS = 20
REMOVE_SECONDS = 20
MOST_PROCESSES = 64
# Beside the engine there are an interpreter that watches and what both need to start.
ROOM = 256 * MIB
FOLDER = "/sandbox"
# It has places to write to where it is not told otherwise, and other users inside than outside.
PODMANS = ("--read-only-tmpfs=false",)
PODMANS_WITHOUT_ROOT = (*PODMANS, "--userns", "keep-id")


class Container:
    """Raises Refused where there is no such program, no daemon, or no image."""

    name = "container"
    warning = ""
    is_sealed = True

    def __init__(self) -> None:
        self.image = os.environ.get(IMAGE, DEFAULT)
        self.program = _program()
        if (refusal := _probe(self.program, self.image)) is not None:
            raise Refused(f"{self.program} does not run here ({refusal})")

    def start(self, engine: EngineFile, limits: Limits) -> "Contained":
        """Raises OSError."""
        if engine.driver is not None:
            raise OSError(0, "the tensor exercise does not run in a container; use bwrap")
        name = f"autograde-{secrets.token_hex(8)}"
        path = engine.path.resolve()
        inside = f"{FOLDER}/engine/{path.name}"
        given = (path, inside) if engine.stands_alone else (path.parent, f"{FOLDER}/engine")
        mounts = [
            *_mounted(WORKER, f"{FOLDER}/worker.py"),
            *_mounted(INSIDE / "confined.py", f"{FOLDER}/confined.py"),
            *_mounted(INSIDE / "kernel.py", f"{FOLDER}/kernel.py"),
            *_mounted(*given),
        ]
        told = [f"{FOLDER}/worker.py", inside, str(limits.memory), str(limits.cpu)]
        line = [*confined(self.program, name, limits.memory), *mounts, self.image, "python3"]
        line += ["-I", "-S", "-B", f"{FOLDER}/confined.py", f"{FOLDER}/kernel.py"]
        return Contained(self.program, name, [*line, program(Rules()).hex(), *told])


class Contained(Started):
    """The program that talks to the container; killing it does not end what it has started."""

    def __init__(self, program: str, name: str, command: list[str]) -> None:
        self.program, self.container = program, name
        super().__init__(command, environment=environment())

    def kill(self) -> None:
        subprocess.run(
            [self.program, "kill", self.container],
            env=environment(),
            capture_output=True,
            timeout=REMOVE_SECONDS,
            check=False,
        )
        super().kill()


def confined(program: str, name: str, memory: int) -> list[str]:
    """`docker run` with nothing to reach and little to use, up to its mounts."""
    podmans = PODMANS if os.getuid() == 0 else PODMANS_WITHOUT_ROOT
    return [
        *(program, "run", "--rm", "--interactive", "--name", name, "--pull", "never"),
        *("--network", "none", "--read-only", "--cap-drop", "ALL"),
        # Whoever made the copy of the hand-in may read it, and nobody else.
        *("--user", f"{os.getuid()}:{os.getgid()}"),
        *("--security-opt", "no-new-privileges", "--pids-limit", str(MOST_PROCESSES)),
        *("--memory", str(memory + ROOM), "--memory-swap", str(memory + ROOM)),
        *("--ulimit", "nofile=64:64", "--ulimit", "nproc=1024:1024", "--hostname", "sandbox"),
        *("--log-driver", "none", "--workdir", "/", "--ipc", "none"),
        *(podmans if os.path.basename(program) == "podman" else ()),  # noqa: PTH119
    ]


def _mounted(source: object, target: str) -> list[str]:
    return ["--volume", f"{source}:{target}:ro"]


def environment() -> dict[str, str]:
    """What these programs need to find their daemon, and their images."""
    kept = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINERS_CONF")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _program() -> str:
    """The first whose daemon answers."""
    there = [found for name in PROGRAMS if (found := shutil.which(name))]
    if not there:
        raise Refused("neither docker nor podman is installed")
    for found in there:
        if _said([found, "version"]) is None:
            return found
    raise Refused(f"the daemon of {there[0]} does not answer ({_said([there[0], 'version'])})")


@cache
def _probe(program: str, image: str) -> str | None:
    """None if Python starts in a container, else the reason and what to do."""
    if _said([program, "image", "inspect", image]) is not None:
        return f"there is no image {image}; `{os.path.basename(program)} pull {image}`"  # noqa: PTH119
    name = f"autograde-{secrets.token_hex(8)}"
    return _said([*confined(program, name, 512 * MIB), image, "python3", "-I", "-S", "-c", ""])


def _said(command: list[str]) -> str | None:
    """The last line of what it complained of, if it failed."""
    said = failure(command, PROBE_SECONDS, environment())
    return None if said is None else said.splitlines()[-1].strip()
