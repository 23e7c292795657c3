"""The workloads: one graph for everybody, whichever way it is written, and clocks that move."""

import importlib.util
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from grader.bench import inside
from grader.bench.contestants import RIVALS
from grader.bench.inside import Task, answer, output, repeated, request_of, tick
from grader.kit.worker import Engine
from grader.language import problems
from grader.project import ROOT

WORKLOADS = ("residual", "chain", "wide", "small")
TASKS = [Task(workload, 5, "tanh", width) for workload in WORKLOADS for width in (2, 4)]


def reference(name: str) -> Any:
    return Engine(str(ROOT / "reference" / f"{name}.py"), stands_alone=True).fresh()


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_program_and_the_operators_are_the_same_graph(task: Task) -> None:
    """Gradients of the program by the reference, of the operators by torch."""
    torch = pytest.importorskip("torch")
    each = task.each
    found = reference("tiny").autograd(request_of(each))
    x, w = (
        torch.tensor(data, dtype=torch.float64, requires_grad=True)
        for data in (each.row(), each.weight())
    )
    y = output(each, x, w, torch.tanh).sum()
    y.backward()
    assert found["value"] == pytest.approx(y.item(), abs=1e-6)
    for name, leaf in (("x", x), ("w", w)):
        flat = [entry for row in found["grads"][name] for entry in row]
        assert flat == pytest.approx(leaf.grad.flatten().tolist(), abs=1e-6)


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_program_is_one_of_the_request_language(task: Task) -> None:
    assert list(problems(request_of(task.each))) == []


@pytest.mark.parametrize("depth", [30, 100_000])
def test_the_deepest_stack_stays_tame(depth: int) -> None:
    row = Task("residual", depth, "tanh", 8).row()[0]
    weight = Task("residual", depth, "tanh", 8).weight()
    most = max(sum(abs(entry) for entry in column) for column in zip(*weight, strict=True))
    assert 0 < (1 + most) ** depth < 2.72
    assert max(map(abs, row)) < 1


EVERYTHING = """
from grader.bench.inside import STEPS, Task
from grader.bench.rivals import {name}_rival
for workload in (*STEPS, "small"):
    for f in ("tanh", "relu"):
        {name}_rival.prepared(Task(workload, 3, f, 2))()
"""


@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_runs_every_workload(name: str) -> None:
    """In a process of its own: some start threads, or change how deep recursion may go."""
    if name == "jax" and importlib.util.find_spec(name) is None:
        pytest.skip("jax is no part of what the tests install: it is 100 MB")
    command = [sys.executable, "-c", EVERYTHING.format(name=name)]
    subprocess.run(command, cwd=ROOT, check=True)


def test_micrograd_gets_the_gradients_of_the_reference() -> None:
    """It is the one that had to be taught rows, and tanh."""
    from micrograd.engine import Value

    from grader.bench.rivals import micrograd_rival as rival

    task = Task("residual", 5, "tanh", 3)
    right = reference("tiny").autograd(request_of(task))["grads"]
    x, w = (
        rival.Grid([[Value(n) for n in row] for row in rows])
        for rows in (task.row(), task.weight())
    )

    def tanh(x: Any) -> Any:
        return rival.Grid([[rival.tanh(value) for value in row] for row in x.rows])

    rival.backward(output(task, x, w, tanh))
    for name, leaf in (("x", x), ("w", w)):
        for got, expected in zip(leaf.rows, right[name], strict=True):
            assert [value.grad for value in got] == pytest.approx(expected, abs=1e-6)


def test_an_answer_is_the_time_of_one_run() -> None:
    asked: list[Any] = []
    module = SimpleNamespace(autograd=asked.append)
    request = {"way": "requests", "workload": "chain", "size": 3, "f": "tanh", "width": 2}
    found = answer(module, request, None)
    assert 0 < found["seconds"] < 0.1
    assert len(asked) > 2


def test_once_is_once_and_tells_what_was_held() -> None:
    asked: list[Any] = []
    module = SimpleNamespace(autograd=asked.append)
    request = {"way": "requests", "workload": "small", "size": 3, "f": "tanh", "width": 2}
    found = answer(module, {**request, "once": True}, None)
    assert len(asked) == 3
    assert found["peak"] > 1 << 20


def test_a_run_is_repeated_until_it_took_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that only moves in steps of ten milliseconds, a run takes one."""
    runs = 0

    def run() -> None:
        nonlocal runs
        runs += 1

    def stepping() -> float:
        return runs // 10 * 0.01

    monkeypatch.setattr(time, "process_time", stepping)
    assert repeated(run, 0.1) == pytest.approx(0.001, rel=0.1)


def test_the_step_of_the_clock_is_seen_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = iter([0.0, 0.0, 0.0, 0.01])
    monkeypatch.setattr(time, "process_time", lambda: next(reads))
    assert tick() == 0.01


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (SimpleNamespace(autograd=len), ""),
        (SimpleNamespace(Tensor=list), ""),
        (SimpleNamespace(prepared=len), ""),
        (SimpleNamespace(autograd=3), "has no engine"),
    ],
)
def test_what_can_be_timed(module: Any, said: str) -> None:
    assert inside.problem(module) == said
