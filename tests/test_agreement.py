"""`pytest --engine X` and `grader grade X` say the same of every case."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from grader.bugs import apply, base_source, catalogue
from grader.project import ROOT
from tests.miniatures import written

# Engines with something of every status among their verdicts.
BROKEN = {
    "wrong": ["tanh-from-input", "row-not-folded"],
    "mutating": ["add-writes-into-its-operand"],
    "recursing": ["exponential-walk"],
    "forgetful": ["unused-input-missing", "overwrite-shared-input"],
}


def by_pytest(engine: str, folder: Path, exercise: str) -> dict[str, str]:
    """Case -> the first line of its report, empty for a pass."""
    report = folder / "report.xml"
    options = ["--hidden", f"--engine={engine}", f"--junitxml={report}"]
    options += [f"fixtures/{exercise}/{part}" for part in ("visible", "hidden")]
    command = [sys.executable, "-m", "pytest", *options]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return {
        str(test.get("name")): (failure.text or "").splitlines()[0] if failure is not None else ""
        for test in ET.parse(report).getroot().iter("testcase")  # noqa: S314
        for failure in [test.find("failure")]
    }


def by_grader(engine: str, folder: Path, exercise: str) -> dict[str, str]:
    file = folder / "grade.json"
    command = [sys.executable, "-m", "grader", "grade", engine, "--json", str(file)]
    command += ["--exercise", exercise]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    verdicts = json.loads(file.read_text(encoding="utf-8"))["verdicts"]
    return {
        v["case"]: f"{v['status'].replace('_', ' ')}: {v['message']}" if v["message"] else ""
        for v in verdicts
    }


def engine_named(name: str, folder: Path) -> str:
    if name in BROKEN:
        bugs = catalogue("tiny")
        source = apply([bugs[bug] for bug in BROKEN[name]], base_source("tiny"))
        (folder / "tiny.py").write_text(source, encoding="utf-8")
        return str(folder)
    if name in ("candidate", "reference", "torch", "autograd", "micrograd"):
        return name
    return str(written(name, folder).parent)


@pytest.mark.parametrize(
    "name",
    [
        *("candidate", "reference", "torch", "autograd", "micrograd"),
        *BROKEN,
        *("always_equal", "tuples", "no_plain_data", "recurses", "exits", "mutates", "not_written"),
        *("unprintable_error", "hostile_message", "remembers", "huge_number"),
    ],
)
def test_both_ways_of_running_agree_case_by_case(name: str, tmp_path: Path) -> None:
    engine = engine_named(name, tmp_path)
    graded = by_grader(engine, tmp_path, "tiny")
    assert by_pytest(engine, tmp_path, "tiny") == graded
    assert len(graded) > 300


@pytest.mark.parametrize(
    "name", ["candidate", "candidate/buggy", "reference", "torch", "grader/peers/torch_tensor.py"]
)
def test_both_ways_of_driving_a_class_agree_case_by_case(name: str, tmp_path: Path) -> None:
    graded = by_grader(name, tmp_path, "tensor")
    asked = by_pytest(name, tmp_path, "tensor")
    assert {case: amounts_left_out(said) for case, said in asked.items()} == {
        case: amounts_left_out(said) for case, said in graded.items()
    }
    assert len(graded) > 120


def amounts_left_out(said: str) -> str:
    """By how much memory grew is never twice the same."""
    return re.sub(r"grew by \d+ MiB", "grew", said)
