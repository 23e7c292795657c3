"""The reference: right by other people's arithmetic, linear, and not recursive."""

import copy
import doctest
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from hypothesis import assume, given, settings

from grader import language, oracle
from grader.kit.repeat import expanded
from grader.kit.worker import load, stack_left
from grader.project import ROOT
from tests.programs import programs


def reference() -> ModuleType:
    engine, problem = load(str(ROOT / "reference" / "tiny.py"), stands_alone=True)
    assert engine is not None, problem
    return engine.fresh()


TINY = reference()
RESIDUAL = [["z", "matmul", "h", "w"], ["t", "tanh", "z"], ["h", "add", "h", "t"]]


def residual_stack(layers: int) -> dict[str, Any]:
    block = {"times": layers, "carry": {"h": "x"}, "steps": RESIDUAL, "result": "h"}
    return {
        "op": "grad",
        "inputs": {"x": [[0.5, -0.25]], "w": [[1e-6, -2e-6], [3e-6, 1e-6]]},
        "steps": [*expanded([{"repeat": block}]), ["y", "sum", "h"]],
        "output": "y",
    }


@contextmanager
def counted_rules() -> Iterator[Counter[str]]:
    """How often each rule of the backward pass runs, for a step's first operand."""
    counts: Counter[str] = Counter()
    plain = {arity: dict(operations) for arity, operations in TINY.OPERATIONS.items()}

    def counting(name: str, plan_for: Any) -> Any:
        def counted(*shapes: Any) -> Any:
            plan = plan_for(*shapes)

            def to_first(*arguments: Any) -> Any:
                counts[name] += 1
                return plan.to_first(*arguments)

            return plan._replace(to_first=to_first)

        return counted

    for arity, operations in plain.items():
        TINY.OPERATIONS[arity] = {name: counting(name, operations[name]) for name in operations}
    try:
        yield counts
    finally:
        TINY.OPERATIONS.update(plain)


def shape(matrix: list[list[float]]) -> tuple[int, int]:
    return len(matrix), len(matrix[0])


def test_the_example_in_its_docstring_is_true() -> None:
    assert doctest.testmod(TINY).failed == 0
    assert doctest.testmod(TINY).attempted > 0


@settings(deadline=None, max_examples=100)
@given(programs())
def test_gradients_agree_with_central_differences(request: dict[str, Any]) -> None:
    answer = TINY.autograd({**request, "op": "grad"})
    program = language.read(request)
    assert oracle.disagreement(program, answer["grads"]) == ""
    for name, matrix in request["inputs"].items():
        assert shape(answer["grads"][name]) == shape(matrix)


@settings(deadline=None, max_examples=50)
@given(programs())
def test_it_passes_its_own_gradcheck(request: dict[str, Any]) -> None:
    assume(all(step[1] != "relu" for step in request["steps"]))  # at 0 it has no one slope
    answer = TINY.autograd({**request, "op": "gradcheck"})
    assert answer["passed"], answer


@settings(deadline=None, max_examples=50)
@given(programs())
def test_the_request_is_left_as_it_was_and_calls_share_no_state(request: dict[str, Any]) -> None:
    before = copy.deepcopy(request)
    first = TINY.autograd(request)
    assert request == before
    assert TINY.autograd(request) == first


@pytest.mark.parametrize("layers", [1, 2, 30, 1000])
def test_each_rule_runs_once_a_step_however_many_paths_there_are(layers: int) -> None:
    with counted_rules() as counts:
        TINY.autograd(residual_stack(layers))
    assert counts == {"matmul": layers, "tanh": layers, "add": layers, "sum": 1}


def test_a_hundred_thousand_steps_need_no_more_stack_than_one() -> None:
    request = residual_stack(33_333)
    assert len(request["steps"]) == 100_000
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit - stack_left(0) + 40)
    try:
        answer = TINY.autograd(request)
    finally:
        sys.setrecursionlimit(limit)
    assert answer["value"] == pytest.approx(0.25, abs=0.2)


def test_a_gradient_that_two_paths_share_is_not_written_into() -> None:
    # Both operands of z get the very same matrix; x then gets a second contribution.
    answer = TINY.autograd(
        {
            "op": "grad",
            "inputs": {"x": [[1.0, 2.0]], "y": [[5.0, 6.0]], "c": [[3.0, 4.0]]},
            "steps": [
                ["t", "mul", "x", "c"],
                ["z", "add", "x", "y"],
                ["p", "add", "t", "z"],
                ["s", "sum", "p"],
            ],
            "output": "s",
        }
    )
    assert answer["grads"]["y"] == [[1.0, 1.0]]
    assert answer["grads"]["x"] == [[4.0, 5.0]]


def test_nan_never_passes_a_gradcheck() -> None:
    request = {
        "op": "gradcheck",
        "inputs": {"x": [[1e200]]},
        "steps": [["q", "mul", "x", "x"], ["p", "mul", "q", "q"]],
        "output": "p",
    }
    assert TINY.autograd(request)["passed"] is False


@pytest.mark.parametrize("entry", [10**400, float("inf"), float("nan"), True, "1", None])
def test_what_is_no_finite_number_is_no_matrix(entry: Any) -> None:
    with pytest.raises(ValueError, match="matrix"):
        TINY.autograd({"op": "value", "inputs": {"x": [[entry]]}, "steps": [], "output": "x"})
