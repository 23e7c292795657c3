"""Engines of the tests' own for a sandbox, and looking for what they leave behind."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from grader.kit.case import Case
from grader.kit.engine import EngineFile
from grader.kit.judge import Verdict, judge
from grader.kit.resident import family
from grader.sandbox import Backend, Refused, SandboxedEngine, choose
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.limits import Limits
from grader.sandbox.warm import WarmBubblewrap
from grader.selftest.ground import has_ended
from tests.cases import case

MIB = 1 << 20
HASTY = 0.3  # seconds for a case whose engine never answers
PATIENT = 30.0  # seconds for a case whose engine does: never used up

GOOD = case(seconds=PATIENT)
BAD = case(inputs={"x": [[1.0]], "bad": [[1.0]]}, output="bad", seconds=PATIENT)
HANGING = replace(BAD, seconds=HASTY)

Host = Callable[..., SandboxedEngine]


@cache
def chosen(name: str) -> Backend:
    """Where bubblewrap is refused, tests fail: GRADER_NO_BWRAP=1 says that a machine has none."""
    try:
        return WarmBubblewrap(Bubblewrap()) if name == "warm" else choose(name)
    except Refused as refused:
        if os.environ.get("GRADER_NO_BWRAP") == "1":
            pytest.skip(str(refused))
        pytest.fail(str(refused))


def moody(source: str) -> str:
    """That engine where the output is `bad`; for any other it gives the input back."""
    return f"""{source}

misbehave = autograd


def autograd(request):
    if request["output"] == "bad":
        return misbehave(request)
    return {{"value": request["inputs"][request["output"]]}}
"""


def verdicts(engine: SandboxedEngine, *cases: Case) -> list[Verdict]:
    return [judge(each, engine.run(each)) for each in cases]


def statuses(engine: SandboxedEngine, *cases: Case) -> list[str]:
    return [verdict.status for verdict in verdicts(engine, *cases)]


def hosting(backend: Backend, folder: Path) -> Iterator[Host]:
    """A way to put sources into the sandbox; they are ended when the test is.

    Each lies in a file with a name of its own, so that its processes can be told from all others.
    """
    hosted = []

    def host(
        source: str,
        memory: int = 1024 * MIB,
        *,
        cpu: int = 3_600,
        stands_alone: bool = True,
        driver: Path | None = None,
    ) -> SandboxedEngine:
        file = folder / f"engine_{secrets.token_hex(8)}.py"
        file.write_text(source, encoding="utf-8")
        engine = SandboxedEngine(
            EngineFile(file, stands_alone, driver), backend, Limits(memory, cpu)
        )
        hosted.append(engine)
        return engine

    try:
        yield host
    finally:
        for engine in hosted:
            engine.stop()


def processes_naming(text: str) -> list[int]:
    """The processes with the text in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and text in (entry / "cmdline").read_text(errors="replace"):
                found.append(int(entry.name))
        except OSError:  # it ended while we looked
            continue
    return found


def descendants(pid: int) -> set[int]:
    """All that a process has started, and what those have."""
    return set(family(pid)[1:])


def still_there(pids: set[int]) -> set[int]:
    """Those of the processes that have not ended; one that only nobody has asked about has."""
    return {pid for pid in pids if not has_ended(pid)}


def end_soon(pids: set[int]) -> bool:
    """Whether they do within two seconds: the kernel takes a moment to end what it was told to."""
    return _soon(lambda: not still_there(pids))


def all_gone(text: str) -> bool:
    """Whether the processes with the text in their command line end within two seconds."""
    return _soon(lambda: not processes_naming(text))


def _soon(is_so: Callable[[], bool]) -> bool:
    for _ in range(100):
        if is_so():
            return True
        time.sleep(0.02)
    return False
