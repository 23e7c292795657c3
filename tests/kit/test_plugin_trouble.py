"""What a candidate sees when something is broken: one line that says what, and no traceback."""

from pathlib import Path

import pytest

from tests.kit.project import Project, Run, entry, small_project
from tests.miniatures import ECHO

STAGE1 = "fixtures/tiny/visible/stage1/x.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return small_project(tmp_path)


def without_traceback(run: Run) -> Run:
    assert "Traceback" not in run.said
    assert "INTERNALERROR" not in run.said
    assert "plugin.py" not in run.said
    return run


# --- engines -------------------------------------------------------------------------------------


def test_an_engine_is_named_by_its_folder_by_its_file_or_from_a_folder_below(
    project: Project,
) -> None:
    other = project.engine("def autograd(request):\n    return {}\n", "other/candidate")
    told = [
        ("", "--engine=other"),
        ("", "--engine", "other/candidate/tiny.py"),
        ("", f"--engine={other}"),
        ("fixtures", "--engine=other"),
    ]
    for below, *options in told:
        run = project.pytest(*options, "-k", "stage1 and right", below=below)
        (said,) = run.summary
        assert said.endswith("stage1/x.yaml::visible_right - wrong: value is missing"), options
        assert f"engine: {options[-1].removeprefix('--engine=')}" in run.lines


def test_a_folders_own_modules_can_be_imported_and_a_files_cannot(project: Project) -> None:
    project.engine("from beside_it import autograd\n", "other")
    project.file("other/beside_it.py", ECHO)
    assert project.pytest("--engine=other", "-k", "stage1 and right").code == 0
    run = without_traceback(project.pytest("--engine=other/tiny.py", "-k", "stage1 and right"))
    assert run.code == 4
    assert "No module named 'beside_it'" in run.said


def test_a_project_may_have_engines_that_are_no_files(project: Project) -> None:
    project.file(
        "conftest.py",
        "from grader.kit.engine import Returned\n\n"
        "class Made:\n"
        "    patience = 1.0\n\n"
        "    def run(self, case):\n"
        "        return Returned({'value': [[1.0, 2.0]]}, 0.0)\n\n"
        "def pytest_autograde_engine(name, exercise):\n"
        "    return Made() if (name, exercise) == ('made', 'tiny') else None\n",
    )
    assert project.pytest("--engine=made", "-k", "right").code == 0
    assert project.pytest("--engine=candidate", "-k", "right").code == 0
    assert "made2: there is no such engine" in project.pytest("--engine=made2").said


UNUSABLE: dict[str, tuple[str, str, str]] = {
    "does not import": (
        "import no_such_module\n",
        "broken",
        "{root}/broken/tiny.py: fails on import (line 1): ModuleNotFoundError:"
        " No module named 'no_such_module'",
    ),
    "raises lines": (
        "raise ValueError('a\\nb')\n",
        "broken",
        "{root}/broken/tiny.py: fails on import (line 1): ValueError: a\\nb",
    ),
    "no python": (
        "def autograd(:\n",
        "broken",
        "{root}/broken/tiny.py: is not valid Python (line 1): invalid syntax",
    ),
    "no autograd": (
        "x = 1\n",
        "broken",
        "{root}/broken/tiny.py: defines no function autograd(request)",
    ),
    "no folder": ("", "nowhere", "nowhere: there is no such engine, file or folder"),
    "wrong folder": ("", "fixtures", "fixtures: the folder has no tiny.py, nor candidate/tiny.py"),
    "wrong kind": (
        "",
        "pyproject.toml",
        "pyproject.toml: an engine is a .py file or a folder",
    ),
}


@pytest.mark.parametrize("trouble", UNUSABLE)
def test_an_engine_that_cannot_be_used_is_said_once_in_one_line_and_ends_with_4(
    trouble: str, project: Project
) -> None:
    source, name, said = UNUSABLE[trouble]
    project.engine(source, "broken")
    run = without_traceback(project.pytest(f"--engine={name}"))
    assert run.code == 4
    assert run.summary == []
    errors = [line for line in run.lines if line.startswith("ERROR: ")]
    assert errors == [f"ERROR: {said.format(root=project.root)}"]


def test_processes_that_share_a_run_say_it_of_every_case(project: Project) -> None:
    run = without_traceback(project.pytest("--engine=nowhere", "-p", "xdist", "-n", "1"))
    assert run.code == 1
    assert len(run.summary) == 4
    for line in run.summary:
        assert line.endswith(" - nowhere: there is no such engine, file or folder")


# --- fixture files -------------------------------------------------------------------------------

BROKEN: dict[str, tuple[bytes, str, str]] = {
    "no YAML": (b"  [broken\n", "FAILED", "10: is not valid YAML: "),
    "no number": (entry("more", inputs="{x: [[.5]]}").encode(), "FAILED", "12: .5 is no number"),
    "unknown key": (b"  expects: 3\n", "FAILED", "9: unknown key 'expects'"),
    "no operation": (entry("more", op="[value]").encode(), "FAILED", "15: "),
    "no numbers": (b"  returns: {value: [[l, 2]]}\n", "FAILED", "9: "),
    "twice": (entry("right").encode(), "FAILED", "9: the case right is already on line 1"),
    "not found": (entry("more").replace("- case", "- 'case'").encode(), "FAILED", "9: "),
    "found in text": (entry("more", why="'w\n- case: text\n  '").encode(), "FAILED", ""),
    "no UTF-8": (b"  why: caf\xe9\n", "ERROR", "9: is not UTF-8 text; save the file as UTF-8"),
}


@pytest.mark.parametrize("trouble", BROKEN)
def test_a_broken_fixture_file_is_named_with_its_line(trouble: str, project: Project) -> None:
    more, kind, said = BROKEN[trouble]
    path = project.root / project.fixture("")
    path.write_bytes(entry("right").rstrip("\n").encode() + b"\n\n" + more)
    run = without_traceback(project.pytest(STAGE1))
    assert run.code == (1 if kind == "FAILED" else 2)
    assert run.summary
    for line in run.summary:
        assert line.startswith(f"{kind} {STAGE1}")
    assert any(line.startswith(f"{path}:{said}") for line in run.lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1: must be a list of cases, each beginning with `- case: name`"),
        ("- name: x\n", "1: a case must begin with `- case: name`"),
        (entry("Capital"), "1: the name 'Capital' must be small letters, digits and _"),
    ],
    ids=["empty", "no case", "bad name"],
)
def test_a_fixture_file_without_a_case_is_an_error_while_collecting(
    text: str, said: str, project: Project
) -> None:
    run = without_traceback(project.pytest(project.fixture(text)))
    assert run.code == 2
    assert any(line.startswith(f"{project.root / STAGE1}:{said}") for line in run.lines)


def test_the_files_beside_a_broken_one_are_asked_as_ever(project: Project) -> None:
    project.fixture(entry("right") + "  [broken\n")
    run = without_traceback(project.pytest("-k", "right"))
    assert "1 failed, 1 passed" in run.said


# --- what it costs -------------------------------------------------------------------------------

LISTING = """
import pathlib
import sys

def pytest_unconfigure():
    pathlib.Path("modules.txt").write_text("\\n".join(sys.modules))
"""
HEAVY = {"torch", "numpy", "hypothesis", "rich", "click", "jinja2", "matplotlib", "xdist"}


@pytest.mark.parametrize(
    "options", [[], ["--hidden", "--engine=candidate"]], ids=lambda options: " ".join(options)
)
def test_a_run_imports_nothing_heavy(options: list[str], project: Project) -> None:
    project.file("listing.py", LISTING)
    assert project.pytest("-p", "listing", *options).code == 1
    names = (project.root / "modules.txt").read_text(encoding="utf-8").split()
    assert "grader.kit.plugin" in names
    assert {name.partition(".")[0] for name in names} & HEAVY == set()
    kit = [name for name in names if name.startswith("grader.")]
    assert all(name == "grader.kit" or name.startswith("grader.kit.") for name in kit)
