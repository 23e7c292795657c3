"""What gets through is seen: tried with no protection at all, and then with each there is."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.kit.engine import EngineFile
from grader.sandbox.backend import WORKER
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from grader.selftest.attack import corpus
from grader.selftest.attempt import Attempt, attempt
from grader.selftest.ground import Ground
from grader.selftest.run import tried

CORPUS = corpus()


class Naked:
    """The worker, with nothing around it."""

    name = "naked"
    warning = ""
    is_sealed = False

    def start(self, engine: EngineFile, limits: Limits) -> Started:
        told = [str(engine.path), str(limits.memory), str(limits.cpu)]
        return Started([sys.executable, "-I", "-S", str(WORKER), *told])


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    made = Ground(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(made.temp))
    yield made
    made.close()


def unprotected(name: str, ground: Ground) -> Attempt:
    return attempt(CORPUS[name], Naked(), "naked", ground)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("reads_home", "25.00 points"),
        ("runs_a_program", "25.00 points"),
        ("new_namespaces", "8.33 points"),
        ("calls_home", "a server was reached"),
        ("sends_a_packet", "a packet arrived"),
        ("changes_a_file", "a file was changed"),
        ("writes_everywhere", "files left"),
    ],
)
def test_what_gets_through_is_seen(name: str, why: str, ground: Ground) -> None:
    found = unprotected(name, ground)
    assert not found.is_repelled
    assert why in found.why
    again = unprotected("true_for_one", ground)
    assert again.is_repelled, "what one attempt left is not the next one's"


def test_a_process_that_is_left_is_counted_and_ended(ground: Ground) -> None:
    found = unprotected("leaves_a_daemon", ground)
    assert found.processes > 0
    assert "processes left" in found.why
    assert ground.processes_left() == 0


def test_an_unexpected_verdict_is_not_repelled(ground: Ground) -> None:
    silent = CORPUS["true_for_one"]
    strict = replace(silent, expect=frozenset({"raised"}))
    found = attempt(strict, Naked(), "naked", ground)
    assert (found.is_repelled, found.why) == (False, "was wrong")


def test_a_note_that_is_missing_is_not_repelled(ground: Ground) -> None:
    noted = replace(CORPUS["true_for_one"], noted="integrity")
    assert attempt(noted, Naked(), "naked", ground).why == "no note of integrity"


def test_a_grader_that_is_killed_is_seen_and_the_next_attack_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = "import os, sys\nsys.stdin.readline()\nos.kill(os.getpid(), 9)\n"
    monkeypatch.setattr("grader.selftest.run.COMMAND", [sys.executable, "-c", ends])
    found = tried([CORPUS["aborts"], CORPUS["sleeps"]], ["process"], 1)
    assert [each.why for each in found] == ["the grader's own process was ended, or hung"] * 2


@pytest.mark.parametrize("backend", ["bwrap", "warm", "process"])
def test_every_attack_is_repelled_but_those_that_a_plain_process_cannot_repel(
    backend: str,
) -> None:
    if os.environ.get("GRADER_NO_BWRAP") == "1" and backend != "process":
        pytest.skip("no bubblewrap here")
    found = tried(CORPUS.values(), [backend], 2)
    through = {each.attack: each.why for each in found if each.was_run and not each.is_repelled}
    known = {name for name, attack in CORPUS.items() if attack.escapes == backend}
    assert {name: why for name, why in through.items() if name not in known} == {}
    # Which of those it does repel depends on the user and on the kernel's settings.
    assert len(through) * 2 >= len(known)
    assert [e.attack for e in found if not e.was_run and "warm" not in e.why] == []
