"""A program has an answer only where two sources say the same."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from grader.bugs import apply, base_source, catalogue
from grader.generate import tiny_answers
from grader.generate.draft import Disagreement, Draft
from grader.generate.tiny import PROFILES
from grader.generate.tiny_answers import expectation
from grader.kit.case import Raises, Returns

SEEDS = range(5)


def first(profile: str, seed: int = 0) -> Draft:
    return next(PROFILES[profile](Random(seed)))  # noqa: S311


def asked(**request: Any) -> Draft:
    """The gradient of x times x, unless told otherwise."""
    told = {"op": "grad", "inputs": {"x": [[3]]}, "steps": [["y", "mul", "x", "x"]], "output": "y"}
    return Draft({**told, **request})


# --- where they agree ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draft", "answer"),
    [
        (asked(), {"value": 9.0, "grads": {"x": [[6.0]]}}),
        (asked(op="value"), {"value": [[9.0]]}),
        (asked(op="gradcheck"), {"passed": True, "errors": {"x": 0.0}}),
        (asked(steps=[], output="x"), {"value": 3.0, "grads": {"x": [[1.0]]}}),
        (
            asked(inputs={"x": [[1e-9]], "k": [[1e9]]}, steps=[["y", "mul", "x", "k"]]),
            {"value": 1.0, "grads": {"x": [[1e9]], "k": [[0.0]]}},
        ),
        (
            asked(inputs={"x": [[800.0]]}, steps=[["y", "tanh", "x"]]),
            {"value": 1.0, "grads": {"x": [[0.0]]}},
        ),
    ],
)
def test_the_answer_is_the_references(draft: Draft, answer: dict[str, Any]) -> None:
    assert expectation(draft) == Returns(answer)


def test_an_error_is_its_word() -> None:
    assert expectation(replace(asked(op="gradient"), raises="op")) == Raises("op")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("profile", ["chain_of_turns", "value_of_a_chain"])
def test_a_formula_is_the_answer_where_the_forward_pass_confirms_it(
    profile: str, seed: int
) -> None:
    draft = first(profile, seed)
    assert draft.answer is not None
    assert expectation(draft) == Returns(draft.answer)


# --- where they part -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bug", "profile"),
    [
        ("sub-second-sign", "sums_differences_and_products"),
        ("tanh-from-input", "layers_with_a_bias"),
        ("matmul-untransposed", "products_of_matrices"),
        ("mean-rows-only", "sums_and_means_in_the_middle"),
        ("overwrite-shared-input", "short_way_and_long_way"),
        ("leaves-counted-twice", "one_result_with_many_uses"),
        ("folded-by-mean", "row_over_a_matrix"),
        ("grand-total-for-everyone", "tables_of_columns_and_rows"),
        ("rounding-on-the-way", "tiny_and_huge_factors"),
        ("sub-swapped", "value_in_the_middle"),
        ("five-decimals", "value_in_the_middle"),
        ("probes-drift", "check_of_a_squared_error"),
        ("left-operand-never-stretched", "cell_over_a_matrix"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_reference_with_a_bug_is_found_out(
    bug: str, profile: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    namespace: dict[str, Any] = {}
    exec(apply([catalogue("tiny")[bug]], base_source("tiny")), namespace)  # noqa: S102
    monkeypatch.setattr(tiny_answers, "reference", lambda: namespace["autograd"])
    with pytest.raises(Disagreement):
        expectation(first(profile, seed))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda answer: {**answer, "value": answer["value"] + 1e-4},
        lambda answer: {**answer, "grads": {**answer["grads"], "x": [[0.0]]}},
        lambda answer: {**answer, "grads": {**answer["grads"], "c": [[1e-4]]}},
        lambda answer: {
            **answer,
            "grads": {"x": answer["grads"]["c"], "c": answer["grads"]["x"], "k": [[0.0]]},
        },
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_formula_is_found_out(wrong: Any, seed: int) -> None:
    draft = first("chain_of_turns", seed)
    with pytest.raises(Disagreement, match="the formula is not confirmed"):
        expectation(replace(draft, answer=wrong(draft.answer)))


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (asked(op="gradient"), "op"),
        (asked(steps=[["y", "matmul", "x", "w"]]), "name"),
        (asked(inputs={"x": [[1e200]]}), "the plain forward pass gives"),
        (
            asked(inputs={"x": [[1e200]]}, op="gradcheck"),
            "the reference does not pass its own check",
        ),
        (
            asked(inputs={"x": [[1e150]]}, steps=[["p", "mul", "x", "x"], ["y", "mul", "p", "p"]]),
            "the plain forward pass",
        ),
    ],
)
def test_a_program_without_an_answer_has_none(draft: Draft, said: str) -> None:
    with pytest.raises(Disagreement, match=said):
        expectation(draft)


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (asked(), "it is: nothing"),
        (asked(op="gradient"), "it is: op: "),
        (asked(steps=[["y", "mul", "x"], ["z", "sum"]]), "it is: step: .*; step: "),
        (asked(steps=[["y", "sqrt", "w"]]), "it is: step: .*; name: "),
    ],
)
def test_an_error_must_be_the_only_one(draft: Draft, said: str) -> None:
    with pytest.raises(Disagreement, match=said):
        expectation(replace(draft, raises="step"))
