"""Well-known autograd libraries behind the request language, to be graded like anybody.

Each passes every case of the operations it has: that is what says the fixtures are right, and do
not merely agree with the reference. They are trusted and run in the grader's own process.
"""

import importlib
import time
from typing import Any

from grader import oracle
from grader.kit import worker
from grader.kit.case import Case
from grader.kit.engine import (
    Engine,
    EngineError,
    Outcome,
    TimedOut,
    driver_of,
    load_driver,
    outcome_of,
)
from grader.language import DIALECTS
from grader.oracle import Differentiator
from grader.peers.driven import DrivenPeer
from grader.project import FIXTURES

# name -> (module here, what to install)
PEERS = {
    "torch": ("torch_peer", "torch"),
    "autograd": ("autograd_peer", "peers"),
    "micrograd": ("micrograd_peer", "peers"),
}
# The same for exercises whose hand-ins are driven.
DRIVEN = {("tensor", "torch"): "torch_tensor"}


class PeerEngine:
    """Runs a library in this process. What it cannot express it has not attempted.

    Nobody grades its speed, and some trace every number; so it has time.
    """

    patience = 10.0

    def __init__(self, library: Differentiator) -> None:
        self.library = library

    def run(self, case: Case) -> Outcome:
        start = time.perf_counter()
        answer: dict[str, Any] = {}
        for request in case.requests:
            try:
                answer = worker.plain(oracle.answer(request, self.library))
            except (ValueError, NotImplementedError) as error:
                answer = {"raised": worker.described(error, folder="")}
        seconds = time.perf_counter() - start
        is_late = seconds > case.seconds * self.patience
        return TimedOut(seconds) if is_late else outcome_of(answer, seconds)


def load_library(name: str) -> Differentiator:
    """Raises EngineError where the library is not installed."""
    module, extra = PEERS[name]
    try:
        library: Differentiator = importlib.import_module(f"grader.peers.{module}").Library()
    except ImportError:
        raise EngineError(f"{name}: not installed; pip install 'autograde[{extra}]'") from None
    return library


def load_peer(name: str, exercise: str) -> Engine:
    """Raises EngineError where the library is not installed or does not do this exercise."""
    driver = driver_of(exercise, FIXTURES)
    if exercise not in DIALECTS or (driver and (exercise, name) not in DRIVEN):
        raise EngineError(f"{name}: there is no such engine for the exercise {exercise}")
    if driver is None:
        return PeerEngine(load_library(name))
    loaded = load_driver(driver)
    module = importlib.import_module(f"grader.peers.{DRIVEN[exercise, name]}")
    return DrivenPeer(module, loaded)
