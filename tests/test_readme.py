"""The README tells the truth: its commands are run, its example and its picture are what comes."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.project import ROOT
from grader.report.picture import PICTURE, picture

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^    (?! )(.+?)(?: {2,}#.*)?$", README, re.MULTILINE)
INLINE = re.findall(r"`([^`\n]+)`", README)
PROGRAMS = ("pip ", "grader ", "pytest", "python -m ", ".ci/run")

# What each command of the README must exit with when it is run in the project's folder.
EXITS = {
    "grader grade candidate": 0,
    "grader grade ~/hand-ins/kim": 0,
    "grader grade kim.py --json grade.json": 0,
    "grader grade kim.zip": 0,
    "grader grade reference --fail-under 25": 0,
    "grader grade torch": 0,
    "grader grade candidate/buggy --exercise tensor": 0,
    "grader grade reference --exercise tensor --twist no_grad": 0,
    "grader grade ~/hand-ins/kim --seed 7": 0,
    "grader grade reference --seed 7 --profile": 0,
    "grader bench reference candidate torch autograd micrograd --html bench.html": 0,
    "grader bench reference ~/hand-ins/kim torch --workload residual --width 8": 0,
    "grader bench reference torch --exercise tensor --json bench.json": 0,
    "grader new kim --seed 7": 0,
    "grader new lee --exercise tensor --zip": 0,
    "grader new march --names names.txt --seed 3": 0,
    "grader key kim": 0,
    "grader power kim/kit": 0,
    "grader bugs list": 0,
    "grader bugs show tanh-from-input": 0,
    "grader bugs matrix --html matrix.html": 0,
    "grader guide tensor": 0,
    "grader guide tiny --html guide.html": 0,
    "pytest -k stage1": 1,
    "pytest -k tanh_of_one_number": 1,
    "pytest -k stage1 -x": 1,
    "pytest --lf": 1,
    'pytest -k "tensor and stage1"': 1,
    "pytest -k stage1 --pdb": 2,  # a debugger at the end of its input quits
    "pytest --engine reference": 0,
    "python -m grader.bugs.starter": 0,
    "python -m grader.report.picture": 0,
    "python -m grader.bench": 0,
}
TESTS = "pip install -e '.[dev]' && pytest -p xdist -n auto --dist worksteal tests"
# What the gate and the workflow run: they install, or are all of this.
RUN_BY_CI = {
    "pip install -e . && grader grade candidate",
    TESTS,
    ".ci/run",
}
# Ways to say something in a sentence, each with the test that runs it.
RUN_ELSEWHERE = {
    "grader fixtures fill",  # tests/authoring/test_fill.py, tests/test_cli.py
    "grader fixtures check",  # tests/fixtures/test_tiny.py, tests/test_cli.py
    "grader grade --fixtures FOLDER",  # tests/test_cli.py
    "grader selftest",  # tests/selftest, tests/commands/test_selftest.py
    "grader power",  # tests/commands/test_power.py
    "python -m grader.diagnosis.trial",  # tests/diagnosis/test_diagnose.py
    # tests/commands/test_bench.py; jax is no part of the dev extra
    "grader bench reference torch autograd micrograd mygrad jax --workload residual --deepest 1000 "
    "--rounds 7",
    "python -m grader.bench.steady ENGINE",  # tests/bench/test_steady.py
    "python -m grader.bugs.matrix",  # tests/bugs/test_matrix.py
    "pip install -e .",  # in a kit; tests/session/test_new.py runs what it installs
    "pip install -e '.[torch]'",  # a part of the dev extra
    "pip install 'autograde[sandbox]'",  # a part of the dev extra
    "pip install 'autograde[bench]'",  # but for jax, a part of the dev extra
}


def commands() -> set[str]:
    return {text for text in [*BLOCKS, *INLINE] if text.startswith(PROGRAMS)}


def test_every_command_is_run_somewhere() -> None:
    assert commands() == {*EXITS, *RUN_BY_CI, *RUN_ELSEWHERE}


def run(command: str, home: Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """As a person would in a shell, with this environment's programs first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "HOME": str(home), "PATH": path}
    return subprocess.run(
        ["/usr/bin/env", "bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", EXITS)
def test_it_does_what_the_readme_says(command: str, tmp_path: Path) -> None:
    kim = tmp_path / "hand-ins" / "kim"
    kim.mkdir(parents=True)
    source = (ROOT / "candidate" / "tiny.py").read_text(encoding="utf-8")
    for file in (kim / "tiny.py", tmp_path / "kim.py"):
        file.write_text(source, encoding="utf-8")
    expected = EXITS[command]
    writes = ("kim.py", "kim.zip", ".html", "bench.json", "new ", "key ", "power ")
    folder = tmp_path if any(word in command for word in writes) else ROOT
    with zipfile.ZipFile(tmp_path / "kim.zip", "w") as sent:
        sent.writestr("kim/candidate/tiny.py", source)
    (tmp_path / "names.txt").write_text("Kim\n", encoding="utf-8")
    if command.endswith(("key kim", "kim/kit")):
        assert run("grader new kim --seed 7", tmp_path, folder).returncode == 0
    command = command.replace("grader bench", "grader bench --deepest 10 --rounds 1")
    command = command.replace("power kim/kit", "power kim/kit --bugs tanh-from-input")
    rounds = " 1" if command.endswith("grader.bench") else ""
    done = run(command + rounds, tmp_path, folder)
    assert done.returncode == expected, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_the_example_of_a_failure_is_what_comes(tmp_path: Path) -> None:
    start = README.index("    wrong: gradient of")
    example = README[start : README.index("\n**tensor.**", start)].strip("\n")
    shown = "\n".join(line[4:] for line in example.splitlines())
    assert shown in run("pytest -k tanh_of_one_number", tmp_path).stdout


def test_the_points_it_names_are_the_candidates(tmp_path: Path) -> None:
    said = re.search(r"as it is handed out: ([\d.]+) of 25", README)
    assert said is not None
    assert f"correctness {said[1]} of 25" in run("grader grade candidate", tmp_path).stdout


def test_the_picture_is_what_grading_the_candidate_prints() -> None:
    drawn = PICTURE.read_text(encoding="utf-8")
    assert drawn == picture(), "renew it: python -m grader.report.picture"
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", ""), "it loads nothing else"
    assert str(PICTURE.relative_to(ROOT)) in README


def test_the_gate_runs_exactly_the_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'grep -m1 "pytest .* tests$" README.md' in script
    [line] = re.findall(r"^.*pytest .* tests$", README, re.MULTILINE)
    assert line.strip() == TESTS
