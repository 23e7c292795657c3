"""The time limit where there is no alarm signal; it works wherever Python does."""

import contextlib
import signal
import threading
from collections.abc import Callable

import pytest

from grader.kit.deadline import DeadlinePassed, interrupting


def handler() -> object:
    return signal.getsignal(signal.SIGINT)


def timers() -> list[threading.Timer]:
    """Those that could still go off."""
    alive = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    return [timer for timer in alive if not timer.finished.is_set()]


def spin() -> None:
    while True:
        pass


def spin_stubbornly() -> None:
    while True:
        with contextlib.suppress(Exception):
            spin()


@pytest.mark.parametrize("endless", [spin, spin_stubbornly])
def test_a_loop_without_end_is_interrupted(endless: Callable[[], None]) -> None:
    with pytest.raises(DeadlinePassed), interrupting(0.02):
        endless()


def test_what_was_interrupted_leaves_everything_as_it_was() -> None:
    before = handler()
    with pytest.raises(DeadlinePassed), interrupting(0.02):
        spin()
    assert handler() is before
    assert timers() == []


def test_a_block_that_ends_in_time_is_left_alone() -> None:
    before = handler()
    with interrupting(60):
        assert handler() is not before
        assert len(timers()) == 1
        done = True
    assert done
    assert handler() is before
    assert timers() == []


def test_an_exception_of_the_blocks_own_passes_and_leaves_everything_as_it_was() -> None:
    before = handler()
    with pytest.raises(KeyError), interrupting(60):
        raise KeyError
    assert handler() is before
    assert timers() == []


def test_one_limit_after_the_other_can_pass() -> None:
    for _ in range(3):
        with pytest.raises(DeadlinePassed), interrupting(0.01):
            spin()
