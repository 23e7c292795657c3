"""A path that pytest takes for the folder to test, and so loses its way to the settings."""

from pathlib import Path

import pytest

from tests.kit.project import Project, small_project
from tests.miniatures import ECHO


@pytest.mark.parametrize("name", ["elsewhere", "elsewhere/tiny.py"])
def test_a_path_elsewhere_after_a_space_is_told_how_to_be_written(
    name: str, tmp_path: Path
) -> None:
    project = small_project(tmp_path / "project")
    Project(tmp_path).engine(ECHO, "elsewhere")
    path = tmp_path / name
    run = project.pytest("--engine", str(path))
    assert run.code == 4
    assert f"write --engine={path}, with an equals sign, for a path elsewhere" in run.said
    assert "Traceback" not in run.said
    assert project.pytest(f"--engine={path}", "-k", "right").code == 0
