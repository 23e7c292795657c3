"""`grader power`: what it shows, tells programs, and refuses in one line."""

import json
import shutil
from pathlib import Path

import pytest

from grader.__main__ import run
from tests.power.suites import GOOD

Capture = pytest.CaptureFixture[str]
FEW = "tanh-from-input,mean-rows-only,negative-zero"


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


def refused(capsys: Capture, *arguments: object) -> str:
    assert run(["power", *map(str, arguments), "--sandbox", "process"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("grader: ").rstrip("\n")


def test_it_is_shown_and_told(submission: Path, capsys: Capture) -> None:
    file = submission / "power.json"
    command = ["power", str(submission), "--bugs", FEW, "--json", str(file)]
    assert run([*command, "--sandbox", "process"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("NOT SANDBOXED: the tests ran as a plain process (as asked)")
    assert "caught 2 of 3 bugs  (67%)" in out
    assert "tests/test_own.py::test_tanh" in out
    assert "1 bugs that no test catches:\n  contract  negative-zero" in out
    told = json.loads(file.read_text("utf-8"))
    assert (told["caught"], told["of"], told["share"]) == (2, 3, 0.6667)
    assert told["by"]["tanh-from-input"] == ["tests/test_own.py::test_tanh"]
    assert told["catches"]["negative-zero"] == "survived"


def test_a_kits_own_example_is_valid(tmp_path: Path, capsys: Capture) -> None:
    assert run(["new", str(tmp_path / "kim"), "--seed", "7"]) == 0
    capsys.readouterr()
    kit = tmp_path / "kim" / "kit"
    assert run(["power", str(kit), "--bugs", FEW, "--json", "-", "--sandbox", "process"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["valid"]) == 2
    assert told["invalid"] == []


def test_what_cannot_be_measured_is_one_line(submission: Path, capsys: Capture) -> None:
    assert "there is no such folder" in refused(capsys, submission / "nowhere")
    assert "there is no bug 'x' of tiny" in refused(capsys, submission, "--bugs", "x")
    assert "--bugs names no bug" in refused(capsys, submission, "--bugs", ",")
    assert "there is no exercise 'x'" in refused(capsys, submission, "--exercise", "x")
    (submission / "tests" / "test_own.py").write_text("x = 1\n", encoding="utf-8")
    line = refused(capsys, submission, "--bugs", FEW)
    assert line == f"{submission / 'tests'}: pytest finds no test in it"
    shutil.rmtree(submission / "tests")
    assert "there is no folder tests in it" in refused(capsys, submission)
