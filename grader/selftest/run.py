"""Trying the whole corpus, on every backend that works here."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from select import select
from typing import IO

from grader.sandbox import Refused
from grader.selftest.attack import Attack
from grader.selftest.attempt import Attempt
from grader.selftest.ground import PLANTED
from grader.selftest.runner import made

BACKENDS = ("bwrap", "warm", "seatbelt", "container", "process")
COMMAND = [sys.executable, "-m", "grader.selftest.runner"]
PATIENCE = 60.0  # seconds for one attack, torch included


def available(names: Iterable[str] = BACKENDS) -> dict[str, str]:
    """Of each backend why it cannot be used here, or nothing."""
    refusals: dict[str, str] = {}
    for name in names:
        try:
            made(name)
            refusals[name] = ""
        except Refused as refused:
            refusals[name] = str(refused)
    return refusals


def tried(
    attacks: Iterable[Attack],
    backends: Iterable[str],
    jobs: int,
    on_attempt: Callable[[], None] = lambda: None,
) -> list[Attempt]:
    """In the order of the attacks, and of the backends for each."""
    pairs = [(attack, name) for attack in attacks for name in backends]
    found: dict[int, Attempt] = {}
    queue: SimpleQueue[int] = SimpleQueue()
    # Those of one exercise together: what a runner has loaded for it, it uses again.
    for index in sorted(range(len(pairs)), key=lambda i: pairs[i][0].exercise):
        queue.put(index)

    def work(_: int) -> None:
        runner = Runner()
        try:
            while True:
                index = queue.get_nowait()
                found[index] = runner.tried(*pairs[index])
                on_attempt()
        except Empty:
            return
        finally:
            runner.stop()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return [found[index] for index in range(len(pairs))]


class Runner:
    """The process that attacks are tried in; another one follows if it is lost."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def tried(self, attack: Attack, backend: str) -> Attempt:
        if why := _not_here(attack, backend):
            return Attempt(attack.name, backend, was_run=False, why=why)
        if self.process is None:
            self.process = started()
        to, back = self.process.stdin, self.process.stdout
        assert to is not None
        assert back is not None
        try:
            print(json.dumps({"attack": attack.name, "backend": backend}), file=to, flush=True)
            line = read_line(back)
        except OSError:
            line = ""
        if not line:
            self.stop()
            lost = "the grader's own process was ended, or hung"
            return Attempt(attack.name, backend, was_run=True, why=lost)
        told = json.loads(line)
        del told["repelled"]
        return Attempt(**{**told, "statuses": tuple(told["statuses"])})

    def stop(self) -> None:
        if self.process is None:
            return
        process, self.process = self.process, None
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _not_here(attack: Attack, backend: str) -> str:
    if attack.exercise == "tensor" and find_spec("torch") is None:
        return "torch is not installed"
    if attack.exercise == "tensor" and backend == "bwrap":
        return "this exercise starts warm"
    if attack.exercise == "tensor" and backend == "container":
        return "this exercise is not run there"
    return ""


def started() -> "subprocess.Popen[str]":
    """Its environment has a secret in it, for attacks to look for."""
    return subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, PLANTED: f"selftest_{secrets.token_hex(8)}"},
        text=True,
    )


def read_line(back: IO[str]) -> str:
    """Empty where nothing comes in time."""
    return back.readline() if select([back], [], [], PATIENCE)[0] else ""
