"""Torch's gradients and central differences: they agree, and each notices when the other is off."""

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader import language, oracle
from grader.arrays import flat
from grader.language import Matrix, Nested, Program
from grader.oracle import Differentiator
from grader.peers import load_library
from tests.programs import programs

TORCH = load_library("torch")
# Beyond this, what central differences lose in rounding is no longer small.
TAME = 1e3


def is_tame(program: Program) -> bool:
    names = [*program.inputs, *(step.name for step in program.steps)]
    values = [
        oracle.evaluate(Program("value", program.inputs, program.steps, name), program.inputs)
        for name in names
    ]
    return all(abs(entry) < TAME for value in values for entry in flat(value))


def off(grads: dict[str, Matrix], name: str, i: int, j: int, by: float) -> dict[str, Matrix]:
    """The gradients with one wrong entry."""
    matrix = [list(row) for row in grads[name]]
    matrix[i][j] += by
    return {**grads, name: matrix}


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

    def gradients(self, program: Program) -> dict[str, Matrix]:
        return off(self.library.gradients(program), next(iter(program.inputs)), 0, 0, self.by)


# --- agreement -----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(programs())
def test_torch_and_central_differences_agree_on_random_programs(request: dict[str, Any]) -> None:
    program = language.read(request)
    assume(is_tame(program))
    assert oracle.disagreement(program, TORCH.gradients(program)) == ""


@settings(deadline=None, max_examples=60)
@given(programs())
def test_torch_and_the_plain_forward_pass_agree_on_random_programs(request: dict[str, Any]) -> None:
    program = language.read(request)
    assume(is_tame(program))
    here, there = oracle.evaluate(program, program.inputs), TORCH.value(program)
    assert list(map(len, here)) == list(map(len, there))
    for mine, its in zip(flat(here), flat(there), strict=True):
        assert math.isclose(mine, its, rel_tol=1e-9, abs_tol=1e-9)


@settings(deadline=None, max_examples=40)
@given(programs(), st.data())
def test_a_wrong_entry_is_noticed_wherever_it_is(
    request: dict[str, Any], data: st.DataObject
) -> None:
    program = language.read(request)
    assume(is_tame(program))
    grads = TORCH.gradients(program)
    name = data.draw(st.sampled_from(list(grads)))
    i = data.draw(st.integers(0, len(grads[name]) - 1))
    j = data.draw(st.integers(0, len(grads[name][0]) - 1))
    size = max(1.0, abs(grads[name][i][j]))
    by = data.draw(st.sampled_from([1e-3, -1e-3, 1.0, math.nan, math.inf])) * size
    why = oracle.disagreement(program, off(grads, name, i, j, by))
    assert f"gradient of {name}, entry {i * len(grads[name][0]) + j}: " in why


# --- long programs, along directions -------------------------------------------------------------


@pytest.mark.parametrize("by", [0.0, 0.01, math.nan])
def test_a_long_program_is_probed_along_directions(by: float) -> None:
    program = long_program(8_001)
    entries = sum(len(flat(matrix)) for matrix in program.inputs.values())
    assert 2 * entries * len(program.steps) > oracle.MOST_WORK
    grads = {"x": [[1.0] * 4] * 3, "c": [[4_000.0]], "d": [[-4_000.0]]}
    assert grads == TORCH.gradients(program)
    why = oracle.disagreement(program, off(grads, "x", 1, 2, 1_000 * by))
    assert ("along a direction" in why) == (by != 0)


@settings(deadline=None, max_examples=40)
@given(programs(), st.sampled_from([0.0, 0.5]))
def test_directions_see_what_single_entries_do(request: dict[str, Any], by: float) -> None:
    program = language.read(request)
    assume(is_tame(program))
    grads = TORCH.gradients(program)
    name = next(iter(grads))
    size = sum(abs(entry) for grad in grads.values() for entry in flat(grad))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle, "MOST_WORK", -1)
        why = oracle.disagreement(program, off(grads, name, 0, 0, by * max(1.0, size)))
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
