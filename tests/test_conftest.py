"""Which cases `pytest` collects here, where two exercises lie side by side."""

import re
import shlex

import pytest

from grader.project import FIXTURES, ROOT
from tests.kit.project import Project, Run, entry, small_project
from tests.miniatures import DRIVER, MINIATURES

OTHER = "exercise: tiny (the other one: pytest -k tensor, -k 'tensor and stage1')"
PLACES = ("visible/stage1", "visible/stage2", "hidden/stage1", "twists/more")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two small exercises with a folder of every kind, under the project's own conftest.py."""
    project = small_project(tmp_path_factory.mktemp("two"))
    project.file("conftest.py", (ROOT / "conftest.py").read_text(encoding="utf-8"))
    project.file("fixtures/tensor/driver.py", DRIVER)
    for place in PLACES:
        name = place.replace("/", "_")
        for exercise in ("tiny", "tensor"):
            file = f"fixtures/{exercise}/{place}/x.yaml"
            project.file(file, entry(f"{exercise}_{name}"))
    project.file("candidate/tensor.py", MINIATURES["exits_on_import"])
    return project


def collected(run: Run) -> set[str]:
    """The exercise and the kind of folder of each case, in words."""
    found = re.findall(r"^fixtures/(\w+)/(\w+)/(\w+)/", run.said, re.MULTILINE)
    return {f"{exercise} {folder} {stage}" for exercise, folder, stage in found}


def of(exercise: str, *folders: str) -> set[str]:
    wanted = [place.split("/") for place in PLACES]
    return {f"{exercise} {folder} {stage}" for folder, stage in wanted if folder in folders}


# What is typed after `pytest` -> what is collected.
COLLECTED = {
    "": of("tiny", "visible"),
    "--hidden": of("tiny", "visible", "hidden", "twists"),
    "-k stage1": {"tiny visible stage1"},
    "-k 'tensor and stage1'": {"tensor visible stage1"},
    "-k tensor": of("tensor", "visible"),
    "-k 'tensor or tiny'": of("tensor", "visible") | of("tiny", "visible"),
    "fixtures/tensor": of("tensor", "visible"),
    "fixtures/tensor/visible/stage2/x.yaml": {"tensor visible stage2"},
    "fixtures/tiny -k stage2": {"tiny visible stage2"},
    "--hidden fixtures/tensor": of("tensor", "visible", "hidden", "twists"),
    "--hidden -k 'tensor and more'": of("tensor", "twists"),
    "-k 'tensor and more'": set(),
}


@pytest.mark.parametrize("typed", COLLECTED)
def test_the_other_exercise_is_run_where_it_is_named_and_twists_as_hidden(
    typed: str, project: Project
) -> None:
    run = project.pytest("--collect-only", "-q", *shlex.split(typed))
    assert collected(run) == COLLECTED[typed]
    assert "exits" not in run.said, "no engine is loaded"


@pytest.mark.parametrize("typed", ["", "-k stage1", "-k 'tensor and stage1'", "fixtures/tiny"])
def test_the_header_says_how_to_get_at_the_other_exercise(typed: str, project: Project) -> None:
    run = project.pytest("--collect-only", *shlex.split(typed))
    is_said = typed in {"", "-k stage1"}
    assert (OTHER in run.lines) == is_said
    assert "engine: candidate" in run.lines


@pytest.mark.parametrize(
    ("typed", "exercise"), [("", "tiny"), ("-k 'tensor and stage1'", "tensor")]
)
def test_so_it_is_with_the_exercises_themselves(typed: str, exercise: str) -> None:
    run = Project(ROOT).pytest(
        "--collect-only", "-q", "-p", "no:cacheprovider", *shlex.split(typed)
    )
    assert run.code == 0, run.said
    folders = [path.name for path in (FIXTURES / exercise / "visible").iterdir() if path.is_dir()]
    stages = ["stage1"] if typed else folders
    assert collected(run) == {f"{exercise} visible {stage}" for stage in stages}
