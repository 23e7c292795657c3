"""A program is answered where two sources agree, and by nobody else."""

from dataclasses import replace
from typing import Any

import pytest

from grader.generate import tensor_answers
from grader.generate.draft import Disagreement, Draft
from grader.generate.tensor_answers import expectation
from grader.kit.case import Raises, Returns

PROGRAM: dict[str, Any] = {
    "op": "grad",
    "inputs": {"x": [1.5, -2.0], "k": [3.0, 4.0]},
    "steps": [["r", "relu", "x"], ["p", "mul", "r", "k"], ["y", "sum", "p"]],
    "output": "y",
}
ANSWER: dict[str, Any] = {"value": 4.5, "grads": {"x": [3.0, 0.0], "k": [1.5, 0.0]}}
REFUSED = {**PROGRAM, "inputs": {"x": [1.5, -2.0], "k": [3.0, 4.0, 5.0]}}


def test_the_answer_is_what_the_reference_and_the_oracle_say() -> None:
    assert expectation(Draft(PROGRAM)) == Returns(ANSWER)
    assert expectation(Draft({**PROGRAM, "op": "value", "output": "r"})) == Returns(
        {"value": [1.5, 0.0]}
    )


def test_an_error_is_the_only_thing_that_is_wrong() -> None:
    assert expectation(Draft(REFUSED, raises="shape")) == Raises("shape")


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (Draft(PROGRAM, raises="shape"), "it is: nothing"),
        (Draft({**REFUSED, "output": "z"}, raises="shape"), "do not fit; name"),
        (Draft(REFUSED), "shape: "),
        (Draft(PROGRAM, answer={**ANSWER, "value": 4.25}), "value should be 4.25"),
    ],
)
def test_a_draft_that_is_not_what_it_says_is_not_answered(draft: Draft, said: str) -> None:
    with pytest.raises(Disagreement, match=said):
        expectation(draft)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"value": 4.75}, "forward pass"),
        ({"grads": {"x": [3.0, 0.001], "k": [1.5, 0.0]}}, "differences"),
        ({"grads": {"x": [3.0, 0.0], "k": [1.5, float("nan")]}}, "nan"),
    ],
)
@pytest.mark.parametrize("largest", [1.0, 1e6])
def test_a_wrong_reference_is_not_believed(
    wrong: dict[str, Any], said: str, largest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries are probed together or, beside a large one, each by itself."""
    inputs = {"x": [1.5, -2.0], "k": [3.0, 4.0], "idle": largest}
    grads = {**ANSWER["grads"], **wrong.get("grads", {}), "idle": 0.0}
    result = {**ANSWER, **wrong, "grads": grads}
    monkeypatch.setattr(tensor_answers, "reference", lambda: lambda _: result)
    with pytest.raises(Disagreement, match=said):
        expectation(Draft({**PROGRAM, "inputs": inputs}))


def test_a_formula_stands_in_for_the_oracle() -> None:
    assert expectation(replace(Draft(PROGRAM), answer=ANSWER)) == Returns(ANSWER)
