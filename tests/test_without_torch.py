"""Where torch is not installed: one exercise says what to install, the other needs nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.project import ROOT
from grader.sandbox import packages

SAID = "the tensor exercise needs torch: pip install 'autograde[torch]'"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """In which importing torch fails as if it were not there."""
    missing = "raise ModuleNotFoundError('No module named torch', name='torch')\n"
    (tmp_path / "torch.py").write_text(missing, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def pytest_run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_pytest_says_in_one_line_what_to_install(environment: dict[str, str]) -> None:
    done = pytest_run(environment, "-k", "tensor and stage2", "--engine", "reference")
    assert done.stderr.strip() == f"ERROR: {SAID}"
    assert done.returncode == pytest.ExitCode.USAGE_ERROR


def test_the_other_exercise_is_untouched(environment: dict[str, str]) -> None:
    done = pytest_run(environment, "-k", "stage1", "--engine", "reference")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "torch" not in done.stdout + done.stderr


def test_grading_says_in_one_line_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "packages", list)
    for engine in ("reference", "candidate"):
        assert run(["grade", engine, "--exercise", "tensor"]) == 2
        assert capsys.readouterr().err == f"grader: {SAID}\n"


@pytest.mark.parametrize("command", ["fill", "check"])
def test_making_fixtures_needs_it_for_either_exercise(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in ("torch_peer", "torch_tensor"):
        monkeypatch.delitem(sys.modules, f"grader.peers.{module}", raising=False)
    assert run(["fixtures", command, "--exercise", "tensor"]) == 2
    said = capsys.readouterr().err
    assert "torch" in said
    assert "pip install 'autograde[torch]'" in said
    assert said.count("\n") == 1
