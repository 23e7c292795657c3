"""Hand-ins in a sandbox and libraries in forks: asked alike, and told apart where they fail."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.bench.contestants import Absent, Contestant, case_of, contestant, lap_of
from grader.bench.measure import Stopped
from grader.kit.engine import Died, EngineError, Outcome, Raised, Returned, TimedOut
from tests.miniatures import written


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def made(name: str, stack: ExitStack, exercise: str = "tiny") -> Contestant:
    return contestant(name, exercise, 2, "auto", 20.0, stack)


@pytest.mark.parametrize(
    ("name", "exercise"), [("reference", "tiny"), ("autograd", "tiny"), ("reference", "tensor")]
)
def test_an_engine_is_timed_counted_and_weighed(name: str, exercise: str, stack: ExitStack) -> None:
    engine = made(name, stack, exercise)
    seconds = engine.ask("residual", 30)
    assert isinstance(seconds, float)
    assert 0 < seconds < 1
    growth = engine.growth("residual", 100_000)
    assert growth is not None
    assert growth.kind == "linear"
    assert growth.depth == 100_000
    small, large = engine.peak("residual", 100), engine.peak("residual", 5_000)
    assert small is not None
    assert large is not None
    assert small < large


def test_the_count_is_the_same_every_time(stack: ExitStack) -> None:
    first, second = (made("reference", stack).growth("wide", 1_000) for _ in range(2))
    assert first == second


def test_what_is_compiled_is_not_counted(stack: ExitStack) -> None:
    engine = made("torch", stack)
    assert engine.title == "PyTorch, eager"
    assert engine.growth("residual", 1_000) is None


def test_many_requests_are_no_program_whose_work_could_grow(stack: ExitStack) -> None:
    assert made("reference", stack).growth("small", 100) is None


def test_the_starter_s_work_is_exponential_and_its_chain_too_deep(stack: ExitStack) -> None:
    engine = made("candidate", stack)
    growth = engine.growth("residual", 100_000)
    assert growth is not None
    assert growth.kind == "exponential"
    assert engine.ask("chain", 10_000) == Stopped("RecursionError")
    assert engine.peak("chain", 10_000) is None


def test_a_hand_in_that_cannot_be_asked_is_no_absent_library(
    tmp_path: Path, stack: ExitStack
) -> None:
    with pytest.raises(EngineError, match="there is no such engine") as raised:
        made("nowhere", stack)
    assert not isinstance(raised.value, Absent)
    path = written("nothing_called_autograd", tmp_path)
    with pytest.raises(EngineError, match="has no engine"):
        made(str(path), stack)


def test_a_library_that_is_not_there_is_absent_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, stack: ExitStack
) -> None:
    monkeypatch.setitem(sys.modules, "mygrad", None)
    with pytest.raises(Absent, match=r"^mygrad: .*pip install 'autograde\[bench\]'"):
        made("mygrad", stack)
    with pytest.raises(Absent, match="micrograd: is no rival in the exercise tensor"):
        made("micrograd", stack, "tensor")


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Returned({"seconds": 0.5}, 1.0), 0.5),
        (Returned({"seconds": 0.0}, 1.0), Stopped("it answers with something else")),
        (Returned([], 1.0), Stopped("it answers with something else")),
        (TimedOut(20.0), Stopped("no answer within 20 s")),
        (Raised("ValueError", "no", (), 1.0, ("ValueError",)), Stopped("ValueError: no")),
        (Raised("RecursionError", "deep", (), 1.0, ("RecursionError",)), Stopped("RecursionError")),
        (Died("killed", 1.0), Stopped("killed")),
    ],
)
def test_how_an_outcome_is_read(outcome: Outcome, said: float | Stopped) -> None:
    assert lap_of(outcome, 20.0) == said


def test_a_lap_has_its_own_seconds() -> None:
    assert case_of({"way": "rival"}, 7.0).seconds == 7.0
