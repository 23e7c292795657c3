"""A gradcheck may be asked for where right engines answer alike, whatever their step."""

from typing import Any

import pytest

from grader.authoring.check import complaints_about
from grader.kit.case import Returns
from grader.kit.engine import Engine
from grader.peers import load_peer
from tests.cases import case

TORCH: dict[str, Engine] = {"torch": load_peer("torch", "tiny")}
CUBE = [["s", "mul", "x", "x"], ["c", "mul", "s", "x"], ["y", "mul", "c", "k"]]
LOST = [["a", "add", "x", "far"], ["b", "sub", "a", "far"], ["y", "mul", "b", "k"]]


def complaints(inputs: dict[str, Any], steps: list[list[str]], *, passed: bool) -> list[str]:
    result = {"passed": passed, "errors": dict.fromkeys(inputs, 0.0)}
    asked = case(op="gradcheck", inputs=inputs, steps=steps, output="y", expects=Returns(result))
    return [complaint.text for complaint in complaints_about([asked], TORCH)]


def test_a_check_that_passes_is_in_order() -> None:
    assert complaints({"x": [[0.5]], "k": [[2.0]]}, CUBE, passed=True) == []


def test_a_check_that_fails_at_any_step_is_in_order() -> None:
    lost = {"x": [[0.5]], "far": [[1e16]], "k": [[0.00003]]}
    assert complaints(lost, LOST, passed=False) == []


def test_a_check_that_fails_at_some_steps_is_not() -> None:
    """At 1e6 a short step is lost in rounding, and a longer one is not."""
    found = complaints({"x": [[1e6]], "k": [[1.0]]}, CUBE, passed=False)
    assert found[0] == "its gradcheck fails only at some steps: see the gradient of x"


def test_errors_that_do_not_vanish_are_not_asked_for() -> None:
    result = {"passed": False, "errors": {"x": 0.25}}
    asked = case(op="gradcheck", expects=Returns(result))
    found = [complaint.text for complaint in complaints_about([asked], {})]
    assert found == ["the errors of a right engine's gradcheck are 0.0 in 4 decimals"]


@pytest.mark.parametrize("k", [0.000009, 0.00006])
def test_an_answer_that_is_not_a_right_engines_is_noticed(k: float) -> None:
    """Under the limit the check passes, and from 0.00005 on its error is not 0.0."""
    (found,) = complaints({"x": [[0.5]], "far": [[1e16]], "k": [[k]]}, LOST, passed=False)
    assert found.startswith("torch does not agree")
