"""How much memory a process holds, seen from outside."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from grader.kit.resident import resident_bytes

MIB = 1 << 20
HELD = 64
# Of a Python that holds nothing else, and of what this very process does meanwhile.
ROOM = 40
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="children are only seen on Linux")
# Holds so many MiB itself and so many more in a child, says so, and waits to be left.
HOLDS = """
import subprocess, sys

own, *below = map(int, sys.argv[2:])
held = b"x" * (own << 20)
if below:
    command = [sys.executable, "-I", "-S", "-c", sys.argv[1], sys.argv[1], *map(str, below)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
print("held", flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="that system does not tell")
Hold = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def hold() -> Iterator[Hold]:
    """Starts a process that holds so many MiB, its child the next number, and so on."""
    started = []

    def holding(*mebibytes: int) -> subprocess.Popen[bytes]:
        amounts = map(str, mebibytes)
        command = [sys.executable, "-I", "-S", "-c", HOLDS, HOLDS, *amounts]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        return process

    yield holding
    for process in started:
        process.communicate()


def mebibytes(pid: int) -> float:
    found = resident_bytes(pid)
    assert found is not None
    return found / MIB


def test_this_process_holds_more_than_nothing_and_less_than_all_there_is() -> None:
    assert 5 < mebibytes(os.getpid()) < 100_000


def test_what_is_written_to_is_held_until_it_is_let_go() -> None:
    before = mebibytes(os.getpid())
    held = b"x" * (HELD * MIB)
    during = mebibytes(os.getpid())
    del held
    after = mebibytes(os.getpid())
    assert HELD - 4 <= during - before <= HELD + ROOM
    assert during - after >= HELD - 4


def test_another_process_is_seen_as_well(hold: Hold) -> None:
    assert HELD <= mebibytes(hold(HELD).pid) <= HELD + ROOM


@LINUX
@pytest.mark.parametrize("held", [[0, HELD], [0, 0, HELD], [HELD, HELD, HELD]])
def test_what_its_children_and_theirs_hold_it_holds(held: list[int], hold: Hold) -> None:
    total, room = sum(held), ROOM * len(held)
    assert total <= mebibytes(hold(*held).pid) <= total + room


@LINUX
def test_this_process_grows_by_its_children(hold: Hold) -> None:
    before = mebibytes(os.getpid())
    hold(HELD)
    assert HELD <= mebibytes(os.getpid()) - before <= HELD + ROOM


def test_a_process_that_is_over_holds_nothing(hold: Hold) -> None:
    process = hold(0)
    process.communicate()
    assert resident_bytes(process.pid) in {0, None}


def test_a_process_that_nobody_has_waited_for_holds_nothing(hold: Hold) -> None:
    process = hold(HELD)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not resident_bytes(process.pid)


def test_where_a_system_does_not_tell_there_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.kit.resident.sys.platform", "win32")
    assert resident_bytes(os.getpid()) is None
