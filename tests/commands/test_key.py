"""`grader key`: shown, written beside the session, and what it refuses in one line."""

import json
import re
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.key.make import key_of
from grader.session.record import INTERVIEWER, Record, read_record, write_record

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sessions") / "kim"
    assert run(["new", str(folder), "--seed", "7"]) == 0
    return folder


def refused(capsys: Capture, *arguments: object) -> str:
    assert run(["key", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("grader: ").rstrip("\n")


def test_it_is_shown_and_written(session: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert run(["key", str(session)]) == 0
    out = capsys.readouterr().out
    for bug in read_record(session).bugs:
        assert bug in out
    assert out.splitlines()[-2:] == [
        f"{session / 'interviewer' / name} written" for name in ("key.md", "key.html")
    ]
    assert (session / "interviewer" / "key.md").read_text("utf-8").startswith("# Tiny Autograd")


def test_it_is_told_to_programs(session: Path, tmp_path: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert run(["key", str(session), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(entry["bug"]["id"] for entry in told["entries"]) == sorted(
        read_record(session).bugs
    )
    file = tmp_path / "key.json"
    assert run(["key", str(session), "--json", str(file)]) == 0
    assert json.loads(file.read_text("utf-8")) == told


def test_its_diffs_are_of_the_engine_that_was_handed_out(session: Path) -> None:
    """Line for line, at the line numbers that they give."""
    engine = (session / "kit" / "candidate" / "tiny.py").read_text("utf-8").splitlines()
    for entry in key_of(session).entries:
        at = 0
        for line in entry.diff:
            if heading := re.match(r"@@ -(\d+)", line):
                at = int(heading[1]) - 1
            elif not line.startswith("+"):
                assert engine[at] == line[1:]
                at += 1


def test_bugs_that_make_no_engine_are_one_line(tmp_path: Path, capsys: Capture) -> None:
    bugs = ("recursion-reuses-the-running-total", "exponential-walk")
    (tmp_path / INTERVIEWER).mkdir()
    write_record(tmp_path, Record("tiny", 7, "buggy", 55, None, bugs))
    assert "session.json: the bugs make no engine" in refused(capsys, tmp_path)


def test_what_is_no_session_is_one_line(session: Path, tmp_path: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert "there is no such folder" in refused(capsys, tmp_path / "nowhere")
    assert "is no session" in refused(capsys, tmp_path)
    assert "is no session" in refused(capsys, session / "kit")
    mine = tmp_path / "mine.json"
    mine.write_text("mine", encoding="utf-8")
    assert "name another file" in refused(capsys, session, "--json", mine)
    assert mine.read_text("utf-8") == "mine"
