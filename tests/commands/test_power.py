"""`grader power`: what it shows, tells programs, and refuses in one line."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from grader.__main__ import run
from grader.report.power_json import schema
from tests.power.suites import GOOD, MEAN, TANH

Capture = pytest.CaptureFixture[str]
FEW = "tanh-from-input,mean-rows-only,negative-zero"


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


def power(*arguments: object) -> int:
    return run(["power", *map(str, arguments), "--sandbox", "process", "--jobs", "1"])


def complaint(capsys: Capture) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("grader: ").rstrip("\n")


def test_it_is_shown_and_told(submission: Path, capsys: Capture) -> None:
    file = submission / "power.json"
    assert power(submission, "--bugs", FEW, "--json", file) == 0
    out = capsys.readouterr().out
    assert out.startswith("NOT SANDBOXED: the tests ran as a plain process (as asked)")
    assert "2 valid tests, 0 invalid, sandbox: process" in out
    assert "caught 2 of 3 bugs  (67%)" in out
    assert "1 bug that no test catches:\n  contract, 1\n    negative-zero\n" in out
    told = json.loads(file.read_text("utf-8"))
    jsonschema.validate(told, schema())
    assert (told["caught"], told["of"], told["share"]) == (2, 3, 0.6667)
    assert [each["test"] for each in told["valid"]] == [TANH, MEAN]
    by = {each["id"]: each["by"] for each in told["bugs"]}
    assert by == {"tanh-from-input": [TANH], "mean-rows-only": [MEAN], "negative-zero": []}


def test_with_json_on_standard_output_there_is_nothing_else_on_it(
    submission: Path, capsys: Capture
) -> None:
    (submission / "tests" / "data.bin").write_bytes(b"\xff")
    assert power(submission, "--bugs", "tanh-from-input", "--json", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["notes"] == [
        "NOT SANDBOXED: the tests ran as a plain process (as asked)",
        "tests/data.bin was left out: it is no UTF-8 text",
    ]
    assert "caught 1 of 1 bugs" in err


@pytest.mark.parametrize("exercise", ["tiny", "tensor"])
def test_a_kits_own_example_is_valid(tmp_path: Path, capsys: Capture, exercise: str) -> None:
    """Copied from the template: a kit takes longer to make than its example to run."""
    name = f"grader/session/templates/test_example_{exercise}.py.txt"
    (tmp_path / "tests").mkdir()
    shutil.copy(Path(__file__).parents[2] / name, tmp_path / "tests" / "test_example.py")
    bug = {"tiny": "sub-second-sign", "tensor": "relu-mask-from-gradient"}[exercise]
    options = ("--exercise", exercise, "--bugs", bug, "--json", "-")
    assert power(tmp_path, *options) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["valid"]) >= 1
    assert (told["invalid"], told["unread"]) == ([], [])
    assert [each["outcome"] for each in told["bugs"]] == ["survived"]


def test_tests_that_cannot_be_read_are_an_answer(submission: Path, capsys: Capture) -> None:
    (submission / "tests" / "test_own.py").write_text("import nothing_of_that_name\n", "utf-8")
    assert power(submission, "--bugs", FEW, "--json", "-") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["caught"], told["of"], told["valid"]) == (0, 3, [])
    assert told["unread"] == [
        {
            "file": "tests/test_own.py",
            "why": "ModuleNotFoundError: No module named 'nothing_of_that_name'",
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("{}/nowhere",), "there is no such file or folder; tests are looked for"),
        (("{}/tests/test_own.py",), "there is no folder tests in it"),
        (("{}/tests",), "there is no folder tests in it"),
        (("{}", "--bugs", "x"), "there is no bug 'x' of tiny"),
        (("{}", "--bugs", ","), "--bugs names no bug"),
        (("{}", "--exercise", "x"), "there is no exercise 'x'"),
        (("{}", "--json", "{}/no/power.json"), "there is no such folder"),
        (("{}", "--json", "{}/tests/test_own.py"), "name another file"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    submission: Path, capsys: Capture, arguments: tuple[str, ...], words: str
) -> None:
    assert power(*(argument.format(submission) for argument in arguments)) == 2
    assert words in complaint(capsys)


def test_a_suite_in_which_pytest_finds_no_test_is_one_line(
    submission: Path, capsys: Capture
) -> None:
    (submission / "tests" / "test_own.py").write_text("x = 1\n", encoding="utf-8")
    assert power(submission, "--bugs", FEW) == 2
    assert complaint(capsys) == f"{submission / 'tests'}: pytest finds no test in it"


def test_a_runner_that_does_not_start_is_our_fault(
    submission: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.power.run.packages_of", lambda _: [])
    assert power(submission, "--bugs", FEW) == 3
    assert "the tests' runner did not start: pytest cannot be imported" in complaint(capsys)
