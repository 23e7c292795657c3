"""A grade for programs, held to its own schema."""

import json
from typing import Any, get_args

import jsonschema
import pytest

import grader
from grader.kit.engine import Died
from grader.kit.judge import MOST_MESSAGE, Status, judge
from grader.report.grade_json import as_data, as_text, schema
from grader.score import Grade
from tests.cases import case
from tests.report.grades import STAGES, graded, verdict

GRADES = {
    "passing": graded(*(verdict("passed", stage=name) for name in STAGES)),
    "failing": graded(
        *(verdict(status) for status in get_args(Status) if status != "grader_fault")
    ),
    "faulting": graded(verdict("passed"), verdict("grader_fault"), notes=("NOT SANDBOXED",)),
    "hidden": graded(verdict("wrong", visibility="hidden", name="a_1")),
    "long": graded(judge(case(), Died("\ud800\x00" * MOST_MESSAGE, 0.0))),
}


def data_of(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(as_text(GRADES[name]))
    return data


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", GRADES)
def test_a_grade_is_as_the_schema_says(name: str) -> None:
    jsonschema.Draft202012Validator(schema()).validate(data_of(name))


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data.pop("points"),
        lambda data: data.update(points=25.5),
        lambda data: data.update(points=-1),
        lambda data: data.update(more=1),
        lambda data: data["verdicts"][0].update(status="fine"),
        lambda data: data["verdicts"][0].update(message="x" * (MOST_MESSAGE + 1)),
        lambda data: data["verdicts"][0].pop("seconds"),
        lambda data: data["stages"]["stage1"].pop("asked"),
    ],
)
def test_what_is_no_grade_is_refused_by_the_schema(edit: Any) -> None:
    data = data_of("failing")
    edit(data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(data)


def test_the_schema_knows_every_status() -> None:
    of_a_verdict = schema()["properties"]["verdicts"]["items"]["properties"]
    assert sorted(of_a_verdict["status"]["enum"]) == sorted(get_args(Status))


def test_every_field_is_required_and_described_by_the_schema() -> None:
    assert sorted(schema()["required"]) == sorted(schema()["properties"]) == sorted(data_of("long"))


@pytest.mark.parametrize("grade", GRADES.values(), ids=GRADES)
def test_there_are_as_many_verdicts_as_cases_asked(grade: Grade) -> None:
    data = as_data(grade)
    assert data["asked"] == len(data["verdicts"]) == len(grade.verdicts)
    assert sum(stage["asked"] for stage in data["stages"].values()) == data["asked"]


def test_the_numbers_are_those_of_the_grade() -> None:
    data = data_of("faulting")
    assert (data["asked"], data["answered"], data["points"], data["out_of"]) == (2, 1, None, 25)
    assert data["stages"]["stage1"] == {
        "passed": 1,
        "asked": 2,
        "not_attempted": 0,
        "points": 12.5,
        "out_of": 25.0,
    }
    assert data["notes"] == ["NOT SANDBOXED"]
    assert data["version"] == grader.__version__
    assert data["verdicts"][0] == {
        "case": "made_up",
        "stage": "stage1",
        "visibility": "visible",
        "status": "passed",
        "seconds": 0.001235,
        "message": "",
    }


def test_a_passing_grade_is_25() -> None:
    data = data_of("passing")
    assert data["points"] == 25.0
    assert list(data["stages"]) == list(STAGES)


def test_the_text_is_plain_ascii_and_ends_its_last_line() -> None:
    text = as_text(GRADES["long"])
    assert text.isascii()
    assert text.endswith("}\n")
