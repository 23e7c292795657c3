"""`grader grade --seed`: drawn programs are graded with the rest."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader import generate as generating
from grader.__main__ import run
from grader.bugs import apply, base_source, catalogue
from grader.generate.draft import Disagreement
from grader.project import read_exercise, read_suite
from grader.report.grade_json import schema

BUG = "sub-second-sign"


@pytest.fixture
def wrong_engine(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.py"
    file.write_text(apply([catalogue("tiny")[BUG]], base_source("tiny")), encoding="utf-8")
    return file


def graded(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["grade", *arguments, "--json", "-"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(data)
    return data


def drawn(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in data["verdicts"] if each["case"].startswith("generated_")]


def test_drawn_programs_are_hidden_cases_of_their_stages(
    wrong_engine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = graded(capsys, str(wrong_engine), "--seed", "7")
    programs = drawn(data)
    assert data["seed"] == 7
    assert "generated: 60 programs of seed 7" in data["notes"]
    assert len(programs) == 60
    assert len(data["verdicts"]) == len(read_suite(read_exercise("tiny"))) + 60
    assert {each["visibility"] for each in programs} == {"hidden"}
    assert {each["stage"] for each in programs} == set(data["stages"])
    status = {each["case"]: each["status"] for each in programs}
    assert status["generated_sums_differences_and_products_1"] == "wrong"
    assert status["generated_products_of_matrices_1"] == "wrong"
    assert status["generated_value_in_the_middle_1"] == "passed"


@pytest.mark.parametrize(
    ("options", "number", "seed"),
    [((), 0, None), (("--seed", "3", "--programs", "0"), 0, None)]
    + [(("--seed", str(seed), "--programs", "5"), 5, seed) for seed in (0, 2**63 - 1)],
)
def test_there_are_as_many_as_were_asked_for(
    options: tuple[str, ...],
    number: int,
    seed: int | None,
    wrong_engine: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = graded(capsys, str(wrong_engine), *options)
    assert (len(drawn(data)), data["seed"]) == (number, seed)
    assert any(note.startswith("generated") for note in data["notes"]) == (number > 0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seed", "-1"), "Invalid value for '--seed': -1 is not in the range"),
        (("--seed", str(2**63)), "Invalid value for '--seed': 9223372036854775808 is not in the"),
        (("--seed", "x"), "Invalid value for '--seed': 'x' is not a valid integer range"),
        (("--seed", "1", "--programs", "-1"), "Invalid value for '--programs': -1 is not in the"),
        (("--programs", "5"), "--programs draws programs by a seed; give one, --seed 7"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(
    options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["grade", "reference", *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"grader: {said}")
    assert error.count("\n") == 1


def test_sources_that_part_are_the_graders_own_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def parted(*_: object) -> None:
        raise Disagreement("one says 1 and one says 2")

    monkeypatch.setattr(generating, "generate", parted)
    assert run(["grade", "autograd", "--seed", "1"]) == 3
    assert "one says 1 and one says 2" in capsys.readouterr().err
