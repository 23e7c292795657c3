"""`grader bugs`: the table, one bug, the matrix, and what is refused in one line."""

import json
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.bugs import catalogue
from grader.bugs.matrix import as_data, read_matrix

Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *arguments: object) -> str:
    assert run(["bugs", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: object) -> str:
    assert run(["bugs", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("grader: ").rstrip("\n")


@pytest.mark.parametrize("exercise", ["tiny", "tensor"])
def test_the_list_has_a_line_a_bug(exercise: str, capsys: Capture) -> None:
    text = said(capsys, "list", "--exercise", exercise)
    bugs = catalogue(exercise)
    lines = [line for line in text.splitlines()[1:-1] if line and line[0] != " "]
    assert [line.split()[0] for line in lines] == list(bugs)
    assert text.splitlines()[-1].startswith(f"{len(bugs)} bugs, ")


def test_the_list_can_be_narrowed_to_a_kind_and_a_stage(capsys: Capture) -> None:
    told = json.loads(said(capsys, "list", "--kind", "Wrong Local", "--stage", "stage1", "--json"))
    chosen = [
        bug
        for bug in catalogue("tiny").values()
        if bug.kind == "wrong local rule" and bug.stage == "stage1"
    ]
    assert [each["id"] for each in told] == [bug.id for bug in chosen]
    assert 0 < len(told) < len(catalogue("tiny"))
    by_id = {each["id"]: each for each in told}["tanh-from-input"]
    assert by_id["difficulty"] in {1, 2, 3}
    assert by_id["fails"] == read_matrix("tiny").failures["tanh-from-input"]


def test_a_bug_is_shown_with_its_edit_and_what_fails(capsys: Capture) -> None:
    text = said(capsys, "show", "tanh-from-input")
    bug = catalogue("tiny")["tanh-from-input"]
    assert text.startswith("tanh-from-input  tiny, stage1\n")
    assert " ".join(bug.cause.split()) in " ".join(text.split())
    assert "  -        return [mul(g, apply(lambda t: 1 - t * t, out))]" in text
    assert "  +        return [mul(g, apply(lambda t: 1 - t * t, args[0]))]" in text
    assert f"{len(read_matrix('tiny').failures[bug.id])} cases fail" in text
    assert "tanh_of_one_number" in text


def test_a_bug_of_the_other_exercise_is_found_too(capsys: Capture) -> None:
    only = next(bug for bug in catalogue("tensor") if bug not in catalogue("tiny"))
    assert said(capsys, "show", only).startswith(f"{only}  tensor, ")


def test_the_summary_fits_a_terminal(capsys: Capture) -> None:
    text = said(capsys, "matrix")
    assert text.startswith("tiny: 154 bugs, ")
    assert max(map(len, text.splitlines())) <= 80
    assert "cases that fail for no bug: none" in text


def test_the_whole_is_written_as_data_and_as_a_page(tmp_path: Path, capsys: Capture) -> None:
    page, data = tmp_path / "m.html", tmp_path / "m.json"
    for _ in range(2):  # the second time over the first
        said(capsys, "matrix", "--html", page, "--json", data)
    assert json.loads(data.read_text("utf-8")) == as_data(read_matrix("tiny"))
    text = page.read_text("utf-8")
    failures = sum(map(len, read_matrix("tiny").failures.values()))
    assert text.count("<title>") == failures + 1
    assert text.count('<dt id="') == len(catalogue("tiny"))
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_data_can_go_to_standard_output(capsys: Capture) -> None:
    assert json.loads(said(capsys, "matrix", "--json", "-"))["exercise"] == "tiny"


def test_a_picture_is_drawn(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "m.png"
    said(capsys, "matrix", "--png", file)
    width, height = (int.from_bytes(file.read_bytes()[at : at + 4]) for at in (16, 20))
    assert width > 1_000
    assert height > 1_000


def test_without_matplotlib_it_is_said_how_to_get_it(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    line = refused(capsys, "matrix", "--png", tmp_path / "m.png")
    assert line == "pictures need matplotlib: pip install 'autograde[report]'"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "tanh-from-inpt"], "there is no bug 'tanh-from-inpt'; did you mean tanh-from-in"),
        (["show", "x"], "there is no bug 'x'; grader bugs list shows them all"),
        (["list", "--stage", "stage9"], "there is no bug of a stage 'stage9'; there is "),
        (["list", "--kind", "zzz"], "no kind has 'zzz' in it; there is "),
        (["list", "--exercise", "none"], "there is no exercise 'none'; there is "),
    ],
)
def test_what_is_not_there_is_said_in_a_line(
    arguments: list[str], line: str, capsys: Capture
) -> None:
    assert refused(capsys, *arguments).startswith(line)


def test_another_file_is_not_overwritten(tmp_path: Path, capsys: Capture) -> None:
    mine = tmp_path / "notes.html"
    mine.write_text("mine", encoding="utf-8")
    for option in ("--html", "--png", "--json"):
        assert "name another file" in refused(capsys, "matrix", option, mine)
    assert mine.read_text("utf-8") == "mine"
