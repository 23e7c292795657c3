"""The libraries that the engines are compared with: each passes every case that it can express."""

import sys
from dataclasses import replace

import pytest

from grader.kit.case import Case, Raises
from grader.kit.engine import EngineError, Faulted, InvalidAnswer, TimedOut
from grader.kit.judge import judge
from grader.peers import PEERS, load_library, load_peer
from grader.project import read_exercise, read_suite
from tests.cases import case

LACKS: dict[str, set[str]] = {"torch": set(), "autograd": set(), "micrograd": {"tanh"}}
EXERCISE = read_exercise("tiny")
CASES = read_suite(EXERCISE)


def cannot_be_expressed(peer: str, case: Case) -> bool:
    if isinstance(case.expects, Raises):
        return False
    return any(step[1] in LACKS[peer] for step in case.request["steps"])


def test_every_peer_is_looked_at() -> None:
    assert LACKS.keys() == PEERS.keys()


@pytest.mark.parametrize("stage", EXERCISE.stages)
@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_passes_every_case_of_the_operations_it_has(peer: str, stage: str) -> None:
    engine = load_peer(peer, "tiny")
    cases = [each for each in CASES if each.stage == stage]
    patient = [replace(each, seconds=600.0) for each in cases]
    found = {each.name: judge(each, engine.run(each)) for each in patient}
    unlike = {
        each.name: (found[each.name].status, found[each.name].message)
        for each in cases
        if found[each.name].status
        != ("not_attempted" if cannot_be_expressed(peer, each) else "passed")
    }
    assert unlike == {}
    assert found


def test_what_a_peer_lacks_is_said() -> None:
    verdict = judge(
        tanh := case(steps=[["y", "tanh", "x"]], output="y"),
        load_peer("micrograd", "tiny").run(tanh),
    )
    assert verdict.status == "not_attempted"
    assert "micrograd has no tanh" in verdict.message


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_has_a_time_limit_like_anybody(peer: str) -> None:
    assert isinstance(load_peer(peer, "tiny").run(case(seconds=1e-9)), TimedOut)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("peer", PEERS)
def test_a_result_that_overflows_is_no_fault_of_the_graders(peer: str) -> None:
    request = case(
        inputs={"x": [[1e300]]}, steps=[["y", "mul", "x", "x"]], output="y", op="grad", seconds=60.0
    )
    outcome = load_peer(peer, "tiny").run(request)
    assert not isinstance(outcome, Faulted | InvalidAnswer | TimedOut)
    assert judge(request, outcome).status == "wrong"


@pytest.mark.parametrize(
    ("peer", "package", "install"),
    [
        ("torch", "torch", "pip install 'autograde[torch]'"),
        ("autograd", "autograd", "pip install 'autograde[peers]'"),
        ("micrograd", "micrograd.engine", "pip install 'autograde[peers]'"),
    ],
)
def test_a_library_that_is_missing_is_one_line_saying_what_to_install(
    peer: str, package: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"grader.peers.{PEERS[peer][0]}", raising=False)
    for load in (load_library, lambda name: load_peer(name, "tiny")):
        with pytest.raises(EngineError) as caught:
            load(peer)
        assert str(caught.value) == f"{peer}: not installed; {install}"
