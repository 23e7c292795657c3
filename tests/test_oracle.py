"""Torch's gradients and central differences: they agree, and each notices when the other is off."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader import language, oracle
from grader.arrays import Array, flat, nested, shape_of
from grader.language import Nested, Program
from grader.oracle import Differentiator
from grader.peers import load_library
from tests.programs import ANY_PROGRAM

TORCH = load_library("torch")
# Beyond this, what central differences lose in rounding is no longer small.
TAME = 1e3


def is_tame(program: Program) -> bool:
    names = [*program.inputs, *(step.name for step in program.steps)]
    values = [oracle.evaluate(replace(program, output=name), program.inputs) for name in names]
    return all(abs(entry) < TAME for value in values for entry in flat(value))


def off(grads: dict[str, Nested], name: str, at: int, by: float) -> dict[str, Nested]:
    """The gradients with one wrong entry."""
    entries = flat(grads[name])
    entries[at] += by
    return {**grads, name: nested(Array(shape_of(grads[name]), entries))}


def long_program(steps: int) -> Program:
    """The sum of a 3 by 4 matrix, then c added and d subtracted, in turns."""
    written = [language.Step("h0", "sum", ("x",))]
    for n in range(1, steps):
        operation, operand = ("add", "c") if n % 2 else ("sub", "d")
        written.append(language.Step(f"h{n}", operation, (f"h{n - 1}", operand)))
    x = [[0.25 * (i - j) for j in range(4)] for i in range(3)]
    return Program("grad", {"x": x, "c": [[0.5]], "d": [[0.5]]}, tuple(written), f"h{steps - 1}")


class Rigged:
    """A library that is off where it is told to be."""

    def __init__(self, library: Differentiator, by: float) -> None:
        self.library = library
        self.by = by

    def value(self, program: Program) -> Nested:
        return self.library.value(program)

    def gradients(self, program: Program) -> dict[str, Nested]:
        return off(self.library.gradients(program), next(iter(program.inputs)), 0, self.by)


# --- agreement -----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=120)
@given(ANY_PROGRAM)
def test_torch_and_central_differences_agree_on_random_programs(program: Program) -> None:
    assume(is_tame(program))
    assert oracle.disagreement(program, TORCH.gradients(program)) == ""


@settings(deadline=None, max_examples=120)
@given(ANY_PROGRAM)
def test_torch_and_the_plain_forward_pass_agree_on_random_programs(program: Program) -> None:
    assume(is_tame(program))
    here, there = oracle.evaluate(program, program.inputs), TORCH.value(program)
    assert shape_of(here) == shape_of(there)
    for mine, its in zip(flat(here), flat(there), strict=True):
        assert math.isclose(mine, its, rel_tol=1e-9, abs_tol=1e-9)


@settings(deadline=None, max_examples=80)
@given(ANY_PROGRAM, st.data())
def test_a_wrong_entry_is_noticed_wherever_it_is(program: Program, data: st.DataObject) -> None:
    assume(is_tame(program))
    grads = TORCH.gradients(program)
    name = data.draw(st.sampled_from(list(grads)))
    entries = flat(grads[name])
    at = data.draw(st.integers(0, len(entries) - 1))
    by = data.draw(st.sampled_from([1e-3, -1e-3, 1.0, math.nan, math.inf]))
    by *= max(1.0, abs(entries[at]))
    why = oracle.disagreement(program, off(grads, name, at, by))
    assert f"gradient of {name}, entry {at}: " in why


# --- relu ----------------------------------------------------------------------------------------

# At 0 twice, once for a result; and once far enough below and above.
KINKS: dict[str, Any] = {
    "op": "grad",
    "inputs": {"x": [0.0, -0.0, -3.0, 2.0], "shift": 2.0},
    "steps": [
        ["r", "relu", "x"],
        ["low", "sub", "x", "shift"],
        ["s", "relu", "low"],
        ["z", "add", "r", "s"],
        ["y", "sum", "z"],
    ],
    "output": "y",
}


def test_a_relu_at_nothing_is_flat_and_differences_say_so_too() -> None:
    program = language.read(KINKS, "tensor")
    grads = TORCH.gradients(program)
    assert grads == {"x": [0.0, 0.0, 0.0, 1.0], "shift": 0.0}
    assert oracle.disagreement(program, grads) == ""
    for slope in (0.5, 1.0):
        assert "gradient of x, entry 0: " in oracle.disagreement(program, off(grads, "x", 0, slope))


def test_a_kink_closer_than_a_step_does_no_harm() -> None:
    inputs = {"x": [1e-9, -1e-9, 1e-300, 5e-6], "shift": 2.0}
    program = language.read({**KINKS, "inputs": inputs}, "tensor")
    assert oracle.disagreement(program, TORCH.gradients(program)) == ""


def test_a_gradcheck_passes_at_a_kink() -> None:
    assert oracle.answer({**KINKS, "op": "gradcheck"}, TORCH, "tensor") == {
        "passed": True,
        "errors": {"x": 0.0, "shift": 0.0},
    }


# --- upstream ------------------------------------------------------------------------------------

WEIGHTED: dict[str, Any] = {
    "op": "grad",
    "inputs": {"a": [[1, 2], [3, 4]], "b": [10, 100]},
    "steps": [["y", "mul", "a", "b"]],
    "output": "y",
    "upstream": [[1, 0], [-2, 0.5]],
}
WEIGHTED_GRADS = {"a": [[10.0, 0.0], [-20.0, 50.0]], "b": [-5.0, 2.0]}


def test_gradients_are_weighted_with_the_upstream_one_and_the_value_is_whole() -> None:
    answer = {"value": [[10.0, 200.0], [30.0, 400.0]], "grads": WEIGHTED_GRADS}
    assert oracle.answer(WEIGHTED, TORCH, "tensor") == answer


def test_a_gradcheck_is_weighted_too() -> None:
    check = {**WEIGHTED, "op": "gradcheck"}
    errors = {"a": 0.0, "b": 0.0}
    assert oracle.answer(check, TORCH, "tensor") == {"passed": True, "errors": errors}
    wrong = oracle.answer(check, Rigged(TORCH, 0.25), "tensor")
    assert wrong == {"passed": False, "errors": {**errors, "a": 0.25}}


@pytest.mark.parametrize("upstream", [[[1, 0], [-2, 1]], [[1, 1], [1, 1]], [[0, 0], [0, 0]]])
def test_gradients_for_another_upstream_are_noticed(upstream: list[list[float]]) -> None:
    program = language.read(WEIGHTED, "tensor")
    assert oracle.disagreement(program, WEIGHTED_GRADS) == ""
    other = language.read({**WEIGHTED, "upstream": upstream}, "tensor")
    assert "gradient of " in oracle.disagreement(program, TORCH.gradients(other))


@pytest.mark.parametrize("value", [3.0, [3.0], [[3.0]], [[[3.0]]]])
def test_an_output_of_one_element_has_a_value_without_dimensions(value: Any) -> None:
    request = {"op": "grad", "inputs": {"x": value}, "steps": [], "output": "x"}
    ones = TORCH.gradients(language.read(request, "tensor"))["x"]
    assert oracle.answer(request, TORCH, "tensor") == {"value": 3.0, "grads": {"x": ones}}
    assert (shape_of(ones), flat(ones)) == (shape_of(value), [1.0])


# --- long programs, along directions -------------------------------------------------------------


@pytest.mark.parametrize("by", [0.0, 0.01, math.nan])
def test_a_long_program_is_probed_along_directions(by: float) -> None:
    program = long_program(8_001)
    entries = sum(len(flat(matrix)) for matrix in program.inputs.values())
    assert 2 * entries * len(program.steps) > oracle.MOST_WORK
    grads = {"x": [[1.0] * 4] * 3, "c": [[4_000.0]], "d": [[-4_000.0]]}
    assert grads == TORCH.gradients(program)
    why = oracle.disagreement(program, off(grads, "x", 6, 1_000 * by))
    assert ("along a direction" in why) == (by != 0)


@settings(deadline=None, max_examples=80)
@given(ANY_PROGRAM, st.sampled_from([0.0, 0.5]))
def test_directions_see_what_single_entries_do(program: Program, by: float) -> None:
    assume(is_tame(program))
    grads = TORCH.gradients(program)
    name = next(iter(grads))
    size = sum(abs(entry) for grad in grads.values() for entry in flat(grad))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle, "MOST_WORK", -1)
        why = oracle.disagreement(program, off(grads, name, 0, by * max(1.0, size)))
    assert ("along a direction" in why) == (by != 0)


# --- answers -------------------------------------------------------------------------------------

PRODUCT: dict[str, Any] = {
    "op": "grad",
    "inputs": {"x": [[3]], "y": [[0.1]], "idle": [[1, 2], [3, 4]]},
    "steps": [["z", "mul", "x", "y"]],
    "output": "z",
}


def test_an_answer_is_rounded_and_has_every_input() -> None:
    assert oracle.answer(PRODUCT, TORCH) == {
        "value": 0.3,
        "grads": {"x": [[0.1]], "y": [[3.0]], "idle": [[0.0, 0.0], [0.0, 0.0]]},
    }
    assert oracle.answer({**PRODUCT, "op": "value"}, TORCH) == {"value": [[0.3]]}


def test_minus_nothing_is_nothing() -> None:
    assert (
        str(oracle.rounded([[-0.0, -1e-9, 1 / 3, -1 / 3]])) == "[[0.0, 0.0, 0.333333, -0.333333]]"
    )


def test_a_gradcheck_passes_for_a_right_library_and_fails_for_a_wrong_one() -> None:
    check = {**PRODUCT, "op": "gradcheck"}
    assert oracle.answer(check, TORCH) == {
        "passed": True,
        "errors": {"x": 0.0, "y": 0.0, "idle": 0.0},
    }
    assert oracle.answer(check, Rigged(TORCH, 0.25)) == {
        "passed": False,
        "errors": {"x": 0.25, "y": 0.0, "idle": 0.0},
    }


def test_a_gradcheck_is_decided_before_rounding_and_nan_never_passes() -> None:
    check = {**PRODUCT, "op": "gradcheck"}
    close = oracle.answer(check, Rigged(TORCH, 3e-5))
    assert (close["passed"], close["errors"]["x"]) == (False, 0.0)
    assert oracle.answer(check, Rigged(TORCH, math.nan))["passed"] is False


def test_a_request_that_is_not_in_order_is_refused_with_its_word() -> None:
    with pytest.raises(ValueError, match=r"\Aname: "):
        oracle.answer({**PRODUCT, "output": "nobody"}, TORCH)
