"""From what a person calls an engine to something that can be asked."""

import errno
from pathlib import Path
from typing import NoReturn

import pytest

from grader.engines import Opened, open_engines
from grader.kit.engine import EngineError, Returned
from grader.peers import PEERS, PeerEngine
from grader.project import ROOT
from grader.sandbox import SandboxedEngine, WorkerFault
from grader.sandbox.limits import Limits
from tests.cases import case
from tests.handin.senders import WAYS
from tests.miniatures import ECHO, MINIATURES, written
from tests.sandbox.hosting import MIB, PATIENT, all_gone


def opened(name: str | Path, jobs: int = 1) -> Opened:
    return open_engines(str(name), "tiny", "process", Limits(200 * MIB), jobs)


def file_of(found: Opened) -> Path:
    engine = found.engines[0]
    assert isinstance(engine, SandboxedEngine)
    return engine.file.path


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_is_trusted_and_runs_here(name: str) -> None:
    found = open_engines(name, "tiny", "bwrap", Limits(), 4)
    assert [type(engine) for engine in found.engines] == [PeerEngine]
    assert found.sandbox.startswith("none")
    assert found.warnings == []
    found.stop()


def test_a_peer_has_its_own_exercises_only() -> None:
    with pytest.raises(EngineError, match=r"torch: .*no such engine for the exercise other"):
        open_engines("torch", "other", "auto", Limits(), 1)


@pytest.mark.parametrize("jobs", [1, 3])
def test_anything_else_runs_in_the_sandbox_as_often_as_asked(tmp_path: Path, jobs: int) -> None:
    found = opened(written("echoes", tmp_path).parent, jobs)
    assert found.sandbox == "process"
    assert len(found.engines) == jobs
    alive = [isinstance(e, SandboxedEngine) and e.worker is not None for e in found.engines]
    assert alive == [True] + [False] * (jobs - 1), "only the first is started"
    outcomes = [engine.run(case(seconds=PATIENT)) for engine in found.engines]
    assert all(isinstance(outcome, Returned) for outcome in outcomes)
    found.stop()
    assert all_gone(str(tmp_path))


def test_the_warning_of_a_backend_is_handed_on(tmp_path: Path) -> None:
    found = opened(written("echoes", tmp_path))
    found.stop()
    assert ["NOT SANDBOXED" in warning for warning in found.warnings] == [True]


@pytest.mark.parametrize("inside", [".", "candidate"])
def test_a_folder_has_its_engine_in_it_or_in_candidate(tmp_path: Path, inside: str) -> None:
    file = written("echoes", tmp_path / inside)
    found = opened(tmp_path)
    found.stop()
    assert file_of(found).name == file.name
    assert not file_of(found).is_relative_to(tmp_path), "it is a copy"


@pytest.mark.parametrize("way", WAYS)
def test_it_may_be_sent_in_any_way(way: str, tmp_path: Path) -> None:
    sent = {
        "kim/candidate/tiny.py": b"import rules\n" + ECHO.encode(),
        "kim/candidate/rules.py": b"",
    }
    found = opened(WAYS[way](sent, tmp_path))
    outcome = found.engines[0].run(case(seconds=PATIENT))
    place = file_of(found).parent
    assert place.is_dir()
    found.stop()
    assert isinstance(outcome, Returned)
    assert not place.exists()


def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(ECHO, encoding="utf-8")
    found = opened(file)
    found.stop()
    assert file_of(found).name == "mine.py"


def test_what_was_left_out_is_told_unless_a_program_made_it(tmp_path: Path) -> None:
    file = written("echoes", tmp_path)
    for name in ("pytest.ini", "a.zip", ".git", "conftest.py"):
        (tmp_path / name).touch()
    (tmp_path / "link.py").symlink_to(file)
    (tmp_path / "node_modules").mkdir()
    found = opened(tmp_path)
    found.stop()
    told = "a.zip (not in candidate/ or tests/), link.py (a link), pytest.ini (not in"
    assert [told in warning for warning in found.warnings] == [False, True]
    assert not any("conftest" in w or "node" in w or ".git" in w for w in found.warnings)


def test_a_disk_that_is_full_is_the_graders_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("grader.engines.write_down", full)
    with pytest.raises(WorkerFault, match=r"no copy of the hand-in could be made: No space left"):
        opened(written("echoes", tmp_path))


def test_an_interpreter_that_is_gone_is_the_graders_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with pytest.raises(WorkerFault, match=r"the worker did not start: .*/no/such/python"):
        opened(written("echoes", tmp_path))


def test_the_projects_engines_are_found_from_anywhere_unless_there_is_one_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = opened("reference")
    echo = written("echoes", tmp_path / "reference")
    at_hand = opened("reference")
    sources = [file_of(each).read_bytes() for each in (found, at_hand)]
    found.stop()
    at_hand.stop()
    assert sources == [(ROOT / "reference" / "tiny.py").read_bytes(), echo.read_bytes()]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere", "there is no such engine, file or folder"),
        ("empty", "has no candidate/ and no .py file at its top; in it: nothing"),
        ("other", "has no tiny.py, nor candidate/tiny.py"),
        ("hand-in.zip", "of no kind that can be read"),
        ("notes.txt", "a hand-in is a folder, a .py file, a .zip"),
        ("broken", "not valid Python"),
        ("without", "autograd"),
    ],
)
def test_what_cannot_be_an_engine_is_told_in_one_line(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "hand-in.zip").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").touch()
    written("broken_syntax", tmp_path / "broken")
    written("nothing_called_autograd", tmp_path / "without")
    with pytest.raises(EngineError, match=why) as caught:
        opened(tmp_path / name)
    assert name in str(caught.value)
    assert str(caught.value).isprintable()
    assert all_gone(str(tmp_path))


@pytest.mark.parametrize("to", [ROOT / "reference" / "tiny.py", "elsewhere/tiny.py"])
def test_a_link_out_of_a_hand_in_is_refused(tmp_path: Path, to: Path | str) -> None:
    """Whoever hands in a link to the reference must not be graded for the reference."""
    written("echoes", tmp_path / "elsewhere")
    hand_in = tmp_path / "hand_in"
    hand_in.mkdir()
    (hand_in / "tiny.py").symlink_to(tmp_path / to)
    with pytest.raises(EngineError, match="link"):
        opened(hand_in).stop()


def test_memory_reaches_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "tiny.py"
    file.write_text(MINIATURES["eats_memory"], encoding="utf-8")
    found = opened(file)
    outcome = found.engines[0].run(case(seconds=PATIENT))
    found.stop()
    assert "MemoryError" in repr(outcome) or "ended" in repr(outcome)
