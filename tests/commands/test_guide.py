"""`grader guide`: on the screen, as a page, and what it refuses."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from grader.__main__ import run
from grader.project import ROOT, read_exercise
from grader.report.guide_html import page

Capture = pytest.CaptureFixture[str]


def complaint(captured: Capture) -> str:
    out, err = captured.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("grader: ")
    return err.removeprefix("grader: ").rstrip("\n")


@pytest.mark.parametrize("name", ["tiny", "tensor"])
def test_it_is_shown_on_standard_output(name: str, capsys: Capture) -> None:
    assert run(["guide", name]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(read_exercise(name).title)
    assert "Debrief" in out
    assert err == ""


def test_a_page_is_written_and_said_so(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "guide.html"
    assert run(["guide", "tensor", "--html", str(file)]) == 0
    assert capsys.readouterr().out == f"{file} written\n"
    assert file.read_text(encoding="utf-8") == page(read_exercise("tensor"))


def test_a_page_of_ours_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "guide.html"
    for name in ("tensor", "tiny"):
        assert run(["guide", name, "--html", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == page(read_exercise("tiny"))
    assert list(tmp_path.iterdir()) == [file]


def test_a_page_on_standard_output_stands_there_alone(capsys: Capture) -> None:
    assert run(["guide", "tiny", "--html", "-"]) == 0
    out, err = capsys.readouterr()
    assert out == page(read_exercise("tiny"))
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "there is no exercise 'nope'; there is tensor, tiny"),
        (["../fixtures/tiny"], "there is no exercise '../fixtures/tiny'; there is tensor, tiny"),
        (["nope", "--html", "-"], "there is no exercise 'nope'; there is tensor, tiny"),
        ([], "Missing argument 'EXERCISE'. (see grader guide --help)"),
        (
            ["tiny", "--html", "{here}/notes.txt"],
            "{here}/notes.txt: is there and is no guide; name another file",
        ),
        (
            ["tiny", "--html", "{here}/grade.html"],
            "{here}/grade.html: is there and is no guide; name another file",
        ),
        (["tiny", "--html", "{here}"], "{here}: cannot be written: it is a folder"),
        (
            ["tiny", "--html", "{here}/no/x"],
            "{here}/no/x: cannot be written: there is no such folder",
        ),
        (["tiny", "--html", "/dev/null"], "/dev/null: cannot be written: it is no ordinary file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, capsys: Capture, arguments: list[str], said: str
) -> None:
    theirs = {"notes.txt": "mine", "grade.html": "<!doctype html>\n<title>a grade</title>"}
    for name, text in theirs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(["guide", *(part.format(here=tmp_path) for part in arguments)]) == 2
    assert complaint(capsys) == said.format(here=tmp_path)
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == theirs


def test_a_broken_guide_is_one_line_with_its_place(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tiny" / "exercise.yaml"
    file.parent.mkdir()
    file.write_text("title: T\nminutes: 5\nstages: {one: {weight: 1, about: it}}\n")
    broken = read_exercise("tiny", tmp_path)
    monkeypatch.setattr("grader.commands.guide.read_exercise", lambda _: broken)
    for options in ([], ["--html", "-"], ["--html", str(tmp_path / "guide.html")]):
        assert run(["guide", "tiny", *options]) == 2
        assert complaint(capsys).startswith(f"{file}:1: there is no 'strong'; ")
    assert not (tmp_path / "guide.html").exists()


def test_a_page_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    file = tmp_path / "guide.html"
    assert run(["guide", "tensor", "--html", str(file)]) == 0
    capsys.readouterr()
    monkeypatch.setattr("os.fsync", full)
    assert run(["guide", "tiny", "--html", str(file)]) == 3
    assert complaint(capsys) == f"{file}: cannot be written: No space left on device"
    assert file.read_text(encoding="utf-8") == page(read_exercise("tensor"))
    assert list(tmp_path.iterdir()) == [file]


def test_the_help_shows_an_example(capsys: Capture) -> None:
    assert run(["guide", "--help"]) == 0
    assert "grader guide tensor --html guide.html" in capsys.readouterr().out


def output(encoding: str, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "grader", "guide", "tensor", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("options", [(), ("--html", "-")])
def test_any_output_can_show_every_word_of_it(options: tuple[str, ...]) -> None:
    """What cannot be shown would be a question mark."""
    words = [
        re.findall(r"[\w?]+", output(name, *options)) for name in ("utf-8", "latin-1", "ascii")
    ]
    assert words[0] == words[1] == words[2]
    assert len(words[0]) > 1000


def test_the_template_engine_is_loaded_for_a_page_only() -> None:
    code = (
        "import sys; from grader.__main__ import run; run(['guide', 'tiny']);"
        "assert 'jinja2' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
