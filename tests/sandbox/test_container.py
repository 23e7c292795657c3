"""Containers, with a program that only says what it was asked: a real one is not everywhere."""

import json
import os
import sys
from pathlib import Path

import pytest

from grader.kit.engine import EngineFile
from grader.sandbox import Refused
from grader.sandbox.container import Container, _probe
from grader.sandbox.limits import Limits

# Answers as docker does, and writes down each command line.
FAKE = """#!{python}
import json, sys
with open({log!r}, "a") as log:
    print(json.dumps(sys.argv[1:]), file=log)
if sys.argv[1] in {fails!r}:
    sys.exit("{said}")
"""


@pytest.fixture(autouse=True)
def forgotten() -> None:
    _probe.cache_clear()


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, *fails: str, name: str = "docker") -> Path:
    log = folder / "log"
    program = folder / name
    text = FAKE.format(python=sys.executable, log=str(log), fails=fails, said="Cannot connect.")
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return log


def lines(log: Path) -> list[list[str]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_without_either_program_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match="neither docker nor podman is installed"):
        Container()


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        ("version", r"the daemon of .*/docker does not answer \(Cannot connect\.\)"),
        ("image", r"there is no image python:\d\.\d+-slim; `docker pull python:\d\.\d+-slim`"),
        ("run", r"docker does not run here \(Cannot connect\.\)"),
    ],
)
def test_what_is_missing_is_one_line_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, why: str
) -> None:
    fake(tmp_path, monkeypatch, fails)
    with pytest.raises(Refused, match=why) as caught:
        Container()
    assert str(caught.value).isprintable()


def test_a_container_can_reach_nothing_and_is_ended_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = fake(tmp_path, monkeypatch)
    monkeypatch.setenv("AUTOGRADE_IMAGE", "mine:1")
    engine = tmp_path / "tiny.py"
    process = Container().start(EngineFile(engine, stands_alone=True), Limits(300 << 20, 7))
    process.wait()
    process.kill()
    process.communicate()
    run, killed = lines(log)[-2:]
    for option in ("--network", "--read-only", "--cap-drop", "--pids-limit", "--memory", "--rm"):
        assert option in run
    assert run[run.index("--network") + 1] == "none"
    assert f"{engine}:/sandbox/engine/tiny.py:ro" in run
    assert all(mount.endswith(":ro") for mount in run if mount.startswith("/") and ":" in mount)
    assert run[run.index("mine:1") + 1] == "python3"
    assert killed == ["kill", run[run.index("--name") + 1]]
    assert not {"SECRET", os.environ.get("HOME", "?")} & set(run)


def test_the_second_program_is_taken_where_the_first_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(tmp_path, monkeypatch, "version")
    fake(tmp_path, monkeypatch, name="podman")
    assert Container().program == str(tmp_path / "podman")


def test_an_engine_that_is_driven_is_not_run_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(tmp_path, monkeypatch)
    driven = EngineFile(tmp_path / "tensor.py", stands_alone=True, driver=tmp_path / "driver.py")
    with pytest.raises(OSError, match="does not run in a container; use bwrap"):
        Container().start(driven, Limits())
