"""The command as a program of its own: what it loads, what it prints, how it exits."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.project import ROOT
from tests.miniatures import written


def program(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [["--help"], ["grade", "--help"], ["fixtures", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = f"import sys\nfrom grader.__main__ import run\nrun({arguments!r})\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "click" in loaded, "the test would see nothing"
    assert loaded.isdisjoint({"rich", "torch", "yaml", "pytest", "numpy"})


@pytest.mark.parametrize("command", ["", "grade", "fixtures fill", "fixtures check"])
def test_help_shows_an_example_on_a_line_of_its_own(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command.split(), "--help"]) == 0
    out = capsys.readouterr().out
    examples = [line for line in out.splitlines() if line.startswith("  grader ")]
    assert any(line.startswith(f"  grader {command or 'grade'}") for line in examples), out
    assert "\\b" not in out


def test_the_program_exits_with_its_code_and_keeps_standard_output_for_the_json(
    tmp_path: Path,
) -> None:
    engine = str(written("hostile_message", tmp_path))
    done = program("grade", engine, "--json", "-", "--sandbox", "process", "--fail-under", "25")
    assert done.returncode == 1
    assert "raised" in {verdict["status"] for verdict in json.loads(done.stdout)["verdicts"]}
    assert "correctness" in done.stderr
    assert "\x1b" not in done.stderr


def test_the_program_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    done = program("grade", "nowhere", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "grader: nowhere: there is no such engine, file or folder\n"


def test_the_command_is_installed() -> None:
    command = shutil.which("grader", path=str(Path(sys.executable).parent))
    assert command is not None
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("grader, version ")
