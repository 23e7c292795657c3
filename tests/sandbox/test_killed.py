"""When somebody kills the grader, or a part of it: nothing stays behind, and nobody is blamed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.kit.engine import Faulted
from grader.project import ROOT
from grader.sandbox import Backend, SandboxedEngine
from grader.sandbox.live import Process
from grader.sandbox.warm import WarmBubblewrap
from tests.miniatures import ECHO, MINIATURES
from tests.sandbox.hosting import GOOD, Host, descendants, end_soon, moody, statuses, still_there

# A grader in a process of its own: it says when an engine hangs in its hands.
GRADER = """
import sys
from pathlib import Path
from grader.kit.engine import EngineFile
from grader.sandbox import SandboxedEngine
from tests.sandbox.hosting import GOOD, BAD, chosen

engine = SandboxedEngine(EngineFile(Path(sys.argv[2]), True), chosen(sys.argv[1]))
assert type(engine.run(GOOD)).__name__ == "Returned"
print("at work", flush=True)
engine.run(BAD)
"""


@pytest.fixture(params=["hangs", "sleeps", "ignores_signals", "leaves_a_child", "spins_in_c"])
def grader(
    backend: Backend, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[subprocess.Popen[str]]:
    file = tmp_path / "tiny.py"
    spins = "def autograd(request):\n    return 9 ** 9 ** 9\n"
    file.write_text(moody({**MINIATURES, "spins_in_c": spins}[request.param]), encoding="utf-8")
    name = "warm" if isinstance(backend, WarmBubblewrap) else backend.name
    with subprocess.Popen(
        [sys.executable, "-c", GRADER, name, str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_killing_the_grader_leaves_no_process(grader: subprocess.Popen[str]) -> None:
    assert grader.stdout is not None
    assert grader.stdout.readline() == "at work\n"
    started = descendants(grader.pid)
    assert started, "the test would see nothing"
    grader.kill()
    assert end_soon(started)


def killed_by_others(process: Process) -> None:
    """What was started to hold the engine, whatever that is."""
    holds = getattr(process, "pid", 0)
    while (parent := _parent(holds)) != os.getpid():
        holds = parent
    os.kill(holds, signal.SIGKILL)


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("backend", ["bwrap", "warm"], indirect=True)
def test_a_sandbox_that_others_kill_is_the_graders_fault_and_the_next_case_goes_on(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = host(ECHO)
    assert statuses(engine, GOOD) == ["passed"]
    assert engine.worker is not None
    process = engine.worker.process
    exchange = engine.worker.exchange

    def interrupted(body: bytes, seconds: float) -> bytes:
        held = {process.pid, *descendants(process.pid)}
        killed_by_others(process)
        assert end_soon(held)
        return exchange(body, seconds)

    monkeypatch.setattr(engine.worker, "exchange", interrupted)
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Faulted)
    assert "from outside" in outcome.why
    assert statuses(engine, GOOD) == ["passed"]


@pytest.mark.parametrize("backend", ["warm"], indirect=True)
def test_workers_of_one_zygote_end_alone(host: Host) -> None:
    first, second = host(ECHO), host(moody(MINIATURES["kills_itself"]))
    assert statuses(first, GOOD) == statuses(second, GOOD) == ["passed"]
    assert _worker(second) != _worker(first)
    second.stop()
    assert still_there({_worker(first)})
    assert statuses(first, GOOD) == ["passed"]


def _worker(engine: SandboxedEngine) -> int:
    assert engine.worker is not None
    return engine.worker.process.pid
