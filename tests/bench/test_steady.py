"""Grading the same hand-in again and again, and telling what differs."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from grader.bench.steady import parting
from grader.project import ROOT
from tests.miniatures import written


def test_an_engine_is_graded_as_often_as_asked_and_its_sets_of_verdicts_counted(
    tmp_path: Path,
) -> None:
    engine = str(written("not_written", tmp_path))
    command = [sys.executable, "-m", "grader.bench.steady", engine, "2"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    first, second = ran.stdout.splitlines()
    assert first.startswith(f"2 gradings of {engine}, ")
    assert first.endswith("; sets of verdicts: 1")
    assert second.startswith("    2 x ")
    assert second.endswith("not_attempted")
    assert ran.returncode == 0


def test_only_what_differs_is_told() -> None:
    same, one, other = ("a", "passed", ""), ("b", "passed", ""), ("b", "timed_out", "late")
    found = Counter(json.dumps(verdicts) for verdicts in ([same, one], [same, other]))
    assert parting(found) == {"b": {"passed: ", "timed_out: late"}}
