"""What an engine under bubblewrap can reach: Python, its own file or folder, and nothing else."""

import os
import socket
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from grader.kit.engine import Raised, Returned
from grader.project import FIXTURES, ROOT
from grader.sandbox import Backend, SandboxedEngine
from grader.sandbox.process import PlainProcess
from tests.miniatures import MINIATURES
from tests.sandbox.hosting import GOOD, Host, hosting

pytestmark = pytest.mark.parametrize("backend", ["bwrap", "warm"], indirect=True)

# Answers with what became of each of ACTIONS, by name.
TRIES = """
import os

def tried(action):
    try:
        return repr(action())
    except BaseException as error:
        return type(error).__name__

def autograd(request):
    return {'value': {name: tried(action) for name, action in ACTIONS.items()}}
"""
# What can be written to, of everything that can be found.
WRITES = """
import os

def autograd(request):
    written = []
    folders = [folder for folder, _, _ in os.walk('/') if folder.count('/') < 4]
    files = [os.path.join(folder, 'left_behind') for folder in folders]
    for file in [__file__, *files, '/tmp/x', '/dev/shm/x', '/var/tmp/x', '/run/x']:
        try:
            open(file, 'a').close()
            written.append(file)
        except OSError:
            pass
    return {'value': [len(folders), written]}
"""
WALKS = """
import os

def autograd(request):
    seen, found = 0, []
    for folder, _, files in os.walk('/'):
        seen += len(files)
        for name in ('exercise.yaml', 'judge.py', 'bwrap.py'):
            if name in files:
                found.append(os.path.join(folder, name))
    return {'value': [seen, found]}
"""


def told(engine: SandboxedEngine) -> Any:
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Returned), outcome
    return outcome.result["value"]


def trying(**actions: str) -> str:
    inside = ", ".join(f"{name!r}: lambda: {action}" for name, action in actions.items())
    return f"{TRIES}\nACTIONS = {{{inside}}}\n"


def test_an_engine_sees_nothing_of_the_machine(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_SECRET", "of the person who grades")
    engine = host(MINIATURES["reports_what_it_sees"])
    seen = told(engine)
    # Python sets the one by itself, bubblewrap the other; neither comes from outside.
    assert set(seen["environment"]) <= {"LC_CTYPE", "PWD"}
    assert seen["home"] == "FileNotFoundError"
    assert seen["tmp"] == "FileNotFoundError"
    assert seen["processes"] == "FileNotFoundError"
    assert seen["written"] == "OSError"
    assert seen["beside"] == repr([engine.file.path.name])
    assert seen["interfaces"] == "PermissionError"
    assert seen["grader"] == "ModuleNotFoundError"


def test_the_projects_folder_and_its_fixtures_are_nowhere(host: Host) -> None:
    seen, found = told(host(WALKS))
    assert seen > 100, "the test would see nothing"
    assert found == []


def test_files_that_the_grader_can_read_cannot_be_read_by_name(
    host: Host, backend: Backend, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("x", encoding="utf-8")
    files = {
        "beside": secret,
        "project": ROOT / "pyproject.toml",
        "fixtures": FIXTURES / "tiny" / "exercise.yaml",
        "users": Path("/etc/passwd"),
        "environment": Path("/proc/self/environ"),
    }
    reads = trying(**{name: f"len(open({str(path)!r}).read())" for name, path in files.items()})
    assert told(host(reads)) == dict.fromkeys(files, "FileNotFoundError")
    for plain in hosting(PlainProcess(), tmp_path):
        assert all(length.isdigit() for length in told(plain(reads)).values())


def test_nothing_that_is_installed_beside_the_grader_can_be_imported(host: Host) -> None:
    """Not even by an engine that knows where it lies."""
    places = [str(ROOT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    places += [sysconfig.get_path("purelib", vars={"base": sys.base_prefix})]
    paths = f"import sys\nsys.path += {places!r}\n"
    names = ("grader", "yaml", "pytest", "click")
    seen = told(host(paths + trying(**{name: f"__import__({name!r}).__file__" for name in names})))
    assert seen == dict.fromkeys(names, "ModuleNotFoundError")


@pytest.mark.parametrize("stands_alone", [True, False])
def test_nothing_can_be_written_anywhere(host: Host, *, stands_alone: bool) -> None:
    looked_at, written = told(host(WRITES, stands_alone=stands_alone))
    assert looked_at > 10
    assert written == []


def test_a_server_on_this_machine_cannot_be_reached(
    host: Host, backend: Backend, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        connects = trying(it=f"__import__('socket').create_connection({address!r}, 2).close()")
        assert told(host(connects))["it"] == "PermissionError"
        socket.create_connection(address, 2).close()  # it is there


def test_the_graders_process_cannot_be_signalled(
    host: Host, backend: Backend, tmp_path: Path
) -> None:
    signals = trying(it=f"os.kill({os.getpid()}, 0)")
    assert told(host(signals))["it"] in {"ProcessLookupError", "PermissionError"}
    for plain in hosting(PlainProcess(), tmp_path):
        assert told(plain(signals))["it"] == "PermissionError"


def test_an_engine_given_as_a_file_sees_only_that_file(host: Host, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("", encoding="utf-8")
    engine = host(trying(beside="os.listdir()", imported="__import__('beside')"))
    assert told(engine) == {
        "beside": repr([engine.file.path.name]),
        "imported": "ModuleNotFoundError",
    }


def test_an_engine_given_as_a_folder_sees_what_is_in_it_and_not_above(
    host: Host, tmp_path: Path
) -> None:
    (tmp_path / "beside.py").write_text("", encoding="utf-8")
    (tmp_path.parent / f"{tmp_path.name}_above.txt").write_text("", encoding="utf-8")
    engine = host(
        trying(beside="sorted(os.listdir())", above="os.listdir('..')"), stands_alone=False
    )
    seen = told(engine)
    assert seen["beside"] == repr(sorted(["beside.py", engine.file.path.name]))
    assert tmp_path.name not in seen["above"]


def test_no_process_can_be_started(host: Host) -> None:
    engine = host(MINIATURES["leaves_a_child"])
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Raised)
    assert outcome.kind == "PermissionError"
