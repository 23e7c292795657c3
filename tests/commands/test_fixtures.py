"""`grader fixtures` on a folder of one's own."""

from pathlib import Path

import pytest

from grader.__main__ import run
from grader.project import FIXTURES

CASE = """\
- case: of_my_own
  why: tests need cases
  op: grad
  inputs: {x: [[1.25, -2]], k: [[3, 7.5]]}
  steps: [[p, mul, x, k], [y, sum, p]]
  output: y
"""


def put(folder: Path, text: str, place: str = "visible/stage1/mine.yaml") -> Path:
    file = folder / "tiny" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_case_is_filled_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = put(tmp_path, CASE)
    assert run(["fixtures", "fill", str(tmp_path)]) == 0
    assert "x: [[3.0, 7.5]]" in file.read_text(encoding="utf-8")
    assert run(["fixtures", "check", str(tmp_path)]) == 0
    assert "0 complaints" in capsys.readouterr().out


def test_a_case_that_the_project_has_already_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = FIXTURES / "tiny/visible/stage1/tanh.yaml"
    text = shipped.read_text(encoding="utf-8")
    put(tmp_path, text.replace("- case: ", "- case: my_"))
    assert run(["fixtures", "check", str(tmp_path)]) == 1
    assert f"asks the same as tanh_of_one_number ({shipped}:" in capsys.readouterr().out
    put(tmp_path, text)
    assert run(["fixtures", "check", str(tmp_path)]) == 2
    assert "is already used at" in capsys.readouterr().err


def test_a_case_that_cannot_be_filled_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, CASE.replace("[y, sum, p]", "[y, summ, p]"))
    assert run(["fixtures", "check", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "of_my_own: has no expected result, and can have none: step: " in said


@pytest.mark.parametrize(
    "place", ["visable/stage1/mine.yaml", "visible/mine.yaml", "visible/stage1/mine.yml"]
)
@pytest.mark.parametrize("command", ["fill", "check"])
def test_a_file_in_the_wrong_place_is_not_passed_over(
    command: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, CASE.replace("of_my_own", "another_one"))
    wrong = put(tmp_path, CASE, place)
    assert run(["fixtures", command, str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"grader: {wrong}: is in no place for cases, ")
