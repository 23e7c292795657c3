"""Engines that cannot be used at all, and workers that do not come up: one line for each."""

import sys
from pathlib import Path

import pytest

from grader.kit.engine import Died, EngineError, EngineFile, Faulted
from grader.sandbox import SandboxedEngine, WorkerFault
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from tests.miniatures import ECHO, MINIATURES
from tests.sandbox.hosting import GOOD, Host, all_gone
from tests.sandbox.test_conformance import sent_to_every_descriptor

UNUSABLE = {
    "breaks_on_import": "no_such_module_anywhere",
    "exits_on_import": "exit code 7",
    "hangs_on_import": "not imported within 0.5 s",
    "broken_syntax": "not valid Python",
    "null_byte": "null byte",
    "nothing_called_autograd": "autograd",
    "autograd_is_a_number": "autograd",
}
HOSTILE = {
    "a message of many lines": "raise ValueError('one\\ntwo\\r\\x1b[2J\\u2028three')\n",
    "a class of many lines": "raise type('One\\nTwo', (Exception,), {})('three')\n",
    "a frame that is no JSON": sent_to_every_descriptor(b"not JSON"),
    "a frame of another kind": sent_to_every_descriptor(b"[1, 2]"),
    "a frame with a mapping in it": sent_to_every_descriptor(b'{"engine": {"a": ["b\\n"]}}'),
    "a frame of many lines": sent_to_every_descriptor(b'{"engine": "one\\ntwo"}'),
    "a frame nested without end": sent_to_every_descriptor(b"[" * 100_000),
    "a frame without end": sent_to_every_descriptor(b'{"engine": "' + b"x" * (1 << 20) + b'"}'),
    "a frame too long": "import os\nfor n in range(3, 16):\n"
    "    try:\n        os.write(n, b'\\xff' * 4)\n    except OSError:\n        pass\n",
}


class Fake:
    """A backend that starts something else."""

    name = "fake"
    warning = ""
    is_sealed = True

    def __init__(self, *command: str) -> None:
        self.line = list(command)

    def start(self, engine: EngineFile, limits: Limits) -> Started:
        return Started(self.line)


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_engine_that_cannot_be_used_is_told_in_one_line(
    host: Host, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "hangs_on_import":
        monkeypatch.setattr("grader.sandbox.engine.IMPORT_SECONDS", 0.5)
    engine = host(MINIATURES[name])
    with pytest.raises(EngineError) as caught:
        engine.start()
    assert str(caught.value).startswith(f"{engine.file.path}: ")
    assert UNUSABLE[name] in str(caught.value)
    assert str(caught.value).isprintable()
    assert all_gone(engine.file.path.name)


@pytest.mark.parametrize("what", HOSTILE)
def test_nothing_that_an_engine_does_on_import_makes_more_than_a_line(
    host: Host, what: str
) -> None:
    engine = host(HOSTILE[what] + ECHO)
    with pytest.raises(EngineError) as caught:
        engine.start()
    assert str(caught.value).startswith(f"{engine.file.path}: ")
    assert str(caught.value).isprintable(), "control characters, or more than a line"
    assert len(str(caught.value)) < 5_000
    assert all_gone(engine.file.path.name)


def test_an_engine_that_loads_only_once_has_died(host: Host, tmp_path: Path) -> None:
    """It was usable before, so this is its own doing and nobody else's fault."""
    engine = host(ECHO)
    engine.start()
    engine.stop()
    engine.file.path.write_text(MINIATURES["breaks_on_import"], encoding="utf-8")
    assert isinstance(engine.run(GOOD), Died)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["false"], "it said nothing"),
        ([sys.executable, "-c", "raise SystemExit('no room left')"], "no room left"),
        ([sys.executable, "/no/such/worker.py"], "/no/such/worker.py"),
        (["/no/such/program"], "/no/such/program"),
    ],
)
def test_a_worker_that_does_not_start_is_the_graders_fault(
    command: list[str], said: str, tmp_path: Path
) -> None:
    file = EngineFile(tmp_path / "tiny.py", stands_alone=True)
    engine = SandboxedEngine(file, Fake(*command))
    with pytest.raises(WorkerFault, match="did not start") as caught:
        engine.start()
    assert said in str(caught.value)
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Faulted)
    assert said in outcome.why
