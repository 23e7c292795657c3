"""What `grader grade` refuses before it runs anything, and output that cannot show everything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.project import ROOT
from tests.miniatures import MINIATURES, written


@pytest.fixture(autouse=True)
def nothing_is_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "is_run" not in request.keywords:

        def opened(*_: object) -> None:
            raise AssertionError("an engine was opened")

        monkeypatch.setattr("grader.commands.grade.open_engines", opened)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("tiny.py", "is there and is no grade; name another file"),
        ("notes.txt", "is there and is no grade; name another file"),
        ("nowhere/grade.json", "cannot be written: there is no such folder"),
        (".", "cannot be written: it is a folder"),
    ],
)
def test_a_grade_takes_nobody_elses_place(
    target: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = written("echoes", tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    file = tmp_path / target
    assert run(["grade", str(engine), "--json", str(file)]) == 2
    assert capsys.readouterr().err == f"grader: {file}: {said}\n"
    assert engine.read_text(encoding="utf-8") == MINIATURES["echoes"]
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    "options",
    [
        ("--fail-under", "26"),
        ("--fail-under", "-1"),
        ("--fail-under", "nan"),
        ("--budget", "nan"),
        ("--budget", "inf"),
        ("--budget", "0"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(
    options: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["grade", "reference", *options]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"grader: Invalid value for '{options[0]}'")
    assert said.count("\n") == 1


@pytest.mark.is_run
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_output_that_cannot_show_every_character_is_no_fault(encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [sys.executable, "-m", "grader", "grade", "reference"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"correctness 25.00 of 25" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.is_run
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-m", "grader", "grade", "reference"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert b"No space left on device" in done.stderr


@pytest.mark.is_run
def test_a_profile_says_where_the_time_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = written("not_written", tmp_path)
    file = tmp_path / "grade.json"
    assert run(["grade", str(engine), "--profile", "--json", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = lines[lines.index(next(line for line in lines if "where the time went" in line)) :]
    names = [line.strip().split("  ")[0] for line in table]
    for name in ("Python and the command line", "imports", "reading cases", "asking and judging"):
        assert name in names
    assert "beside it: answers of the engine" in names
    assert names[-1] == "total"
    total = int(table[-1].split()[-1])
    assert total > 50
