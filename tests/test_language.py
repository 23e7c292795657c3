"""What is wrong with a request, each thing once; and what shapes a right one has."""

import copy
import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import language, oracle
from grader.arrays import Shape, flat
from grader.kit.case import ERROR_WORDS
from grader.language import DIALECTS, ONE_BY_ONE, problems, read
from tests.programs import programs

Edit = Callable[[dict[str, Any]], object]

# Every operation, and matrices of every form.
SOUND: dict[str, Any] = {
    "op": "grad",
    "inputs": {"a": [[1, 2.5, -3], [4, 5, 6]], "b": [[1, 0], [0.5, 1], [2, 2]], "c": [[7]]},
    "steps": [
        ["p", "matmul", "a", "b"],
        ["q", "tanh", "p"],
        ["r", "add", "q", "c"],
        ["s", "sub", "r", "p"],
        ["t", "mul", "s", "s"],
        ["m", "mean", "t"],
        ["n", "sum", "a"],
        ["y", "add", "m", "n"],
    ],
    "output": "y",
}


def edited(*edits: Edit) -> dict[str, Any]:
    request = copy.deepcopy(SOUND)
    for edit in edits:
        edit(request)
    return request


def words(request: dict[str, Any]) -> list[str]:
    return [problem.word for problem in problems(request)]


def op(value: Any) -> Edit:
    return lambda request: request.update(op=value)


def output(value: Any) -> Edit:
    return lambda request: request.update(output=value)


def more(*steps: Any) -> Edit:
    """Steps at the end, on which nothing else depends."""
    return lambda request: request["steps"].extend(steps)


def step(at: int, value: Any) -> Edit:
    return lambda request: request["steps"].__setitem__(at, value)


def spare(matrix: Any) -> Edit:
    """An input that nothing uses."""
    return lambda request: request["inputs"].update(spare=matrix)


def used(matrix: Any) -> Edit:
    """An input on which everything depends."""
    return lambda request: request["inputs"].update(a=matrix)


NO_MATRICES = [
    [], [[]], [[], []], [[1, 2], [3]], [[1], []], [[1], 2], [1], [1, [2]], 1, None, "x", {},
    {"x": 1}, [[True]], [[1, False]], [["1"]], [[None]], [[[1]]], [[math.nan]], [[math.inf]],
    [[1, -math.inf]], [[10**400]], ["ab"], [(1,)], ((1,),),
]  # fmt: skip

FAULTS: dict[str, list[Edit]] = {
    "op": [op("gradient"), op("Grad"), op(""), op(None), op(1), op(["grad"]), op({"grad": 1})],
    "matrix": [edit(matrix) for edit in (spare, used) for matrix in NO_MATRICES],
    "step": [
        *map(more, [["z"], [], "z tanh a", "", None, 3, {"z": ["tanh", "a"]}]),
        *map(more, [["z", 3, "a"], ["z", "tanh", 3], [None, "tanh", "a"], ["z", "tanh", ["a"]]]),
        *map(more, [["z", "tan", "a"], ["z", "Tanh", "a"], ["z", "", "a"], ["z", "relu", "a"]]),
        *map(more, [["z", "tanh"], ["z", "tanh", "a", "a"], ["z", "sum"], ["z", "mean", "a", "c"]]),
        *map(more, [["z", "add", "a"], ["z", "mul", "a", "a", "a"], ["z", "matmul", "a"]]),
        lambda request: request.update(steps="y = tanh(a)"),
        lambda request: request.update(steps={"y": ["tanh", "a"]}),
        lambda request: request.update(steps=None),
    ],
    "name": [
        *map(more, [["z", "tanh", "nobody"], ["z", "add", "a", "nobody"], ["z", "sum", "z"]]),
        *map(more, [["p", "tanh", "a"], ["a", "tanh", "a"], ["y", "sum", "b"], ["z", "sum", ""]]),
        step(0, ["p", "matmul", "a", "m"]),
        output("nobody"),
        output(""),
        output("Y"),
    ],
    "shape": [
        *map(more, [["z", "matmul", "a", "a"], ["z", "matmul", "a", "c"], ["z", "add", "a", "b"]]),
        *map(more, [["z", "sub", "a", "p"], ["z", "mul", "p", "b"]]),
        more(["z", "matmul", "c", "a"], ["zz", "matmul", "z", "z"]),
    ],
    "output": [output(name) for name in ("a", "b", "p", "t")],
}
# A fault where everything that follows depends on it: the rest cannot be known, so it is not wrong.
AT_THE_ROOT: list[tuple[str, Edit]] = [
    ("step", step(0, ["p", "tan", "a"])),
    ("step", step(0, ["p", "matmul", "a"])),
    ("step", step(0, ["p"])),
    ("step", step(0, ["p", 1, 2])),
    ("name", step(0, ["p", "matmul", "a", "nobody"])),
    ("shape", step(0, ["p", "matmul", "a", "a"])),
    ("shape", step(0, ["p", "add", "a", "b"])),
    ("matrix", used([[1, 2], [3]])),
    ("matrix", used(None)),
]
# One fault of each word, none of which makes another hard to see.
APART: dict[str, Edit] = {
    "op": op("gradient"),
    "matrix": spare([[1], []]),
    "step": more(["z1", "tan", "a"]),
    "name": more(["z2", "tanh", "nobody"]),
    "shape": more(["z3", "matmul", "a", "a"]),
    "output": output("p"),
}


# --- what is wrong -------------------------------------------------------------------------------


def test_every_error_word_has_its_faults() -> None:
    assert FAULTS.keys() == APART.keys() == set(ERROR_WORDS)


@pytest.mark.parametrize("name", language.OPS)
def test_nothing_is_wrong_with_a_sound_request(name: str) -> None:
    assert words(edited(op(name))) == []


@pytest.mark.parametrize(
    ("word", "at"), [(word, at) for word, edits in FAULTS.items() for at in range(len(edits))]
)
def test_a_single_fault_is_exactly_one_problem(word: str, at: int) -> None:
    request = edited(FAULTS[word][at])
    assert words(request) == [word]
    with pytest.raises(ValueError, match=rf"\A{word}: ") as caught:
        read(request)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(APART, 2)))
def test_two_faults_are_two_problems(one: str, two: str) -> None:
    # Without an op it is not known whether the output must be 1 by 1.
    wanted = {one} if (one, two) == ("op", "output") else {one, two}
    assert sorted(words(edited(APART[one], APART[two]))) == sorted(wanted)


def test_the_same_fault_twice_is_two_problems() -> None:
    assert words(edited(more(["z1", "tan", "a"], ["z2", "tan", "a"]))) == ["step", "step"]
    assert words(edited(spare([]), used([]))) == ["matrix", "matrix"]


@pytest.mark.parametrize(("word", "edit"), AT_THE_ROOT)
def test_what_follows_from_a_fault_is_no_second_one(word: str, edit: Edit) -> None:
    assert words(edited(edit)) == [word]


@pytest.mark.parametrize(("word", "edit"), AT_THE_ROOT)
def test_a_fault_that_does_not_follow_from_another_is_still_seen(word: str, edit: Edit) -> None:
    assert sorted(words(edited(edit, APART["name"]))) == sorted([word, "name"])


@pytest.mark.parametrize("name", language.OPS)
def test_the_output_must_be_one_by_one_except_for_a_value(name: str) -> None:
    assert words(edited(op(name), output("p"))) == ([] if name == "value" else ["output"])


def test_an_input_may_be_the_output() -> None:
    assert words({"op": "grad", "inputs": {"x": [[1]]}, "steps": [], "output": "x"}) == []


def test_looking_for_problems_changes_nothing() -> None:
    request = edited(APART["step"], APART["shape"])
    before = copy.deepcopy(request)
    list(problems(request))
    assert request == before


# --- what is right -------------------------------------------------------------------------------


def test_a_program_has_floats_of_its_own_and_steps_with_names() -> None:
    request = edited()
    program = read(request)
    entries = [entry for matrix in program.inputs.values() for entry in flat(matrix)]
    assert {type(entry) for entry in entries} == {float}
    assert program.steps[0] == ("p", "matmul", ("a", "b"))
    assert (program.op, program.output) == ("grad", "y")
    program.inputs["a"][0][0] = 99.0
    assert request == SOUND


@settings(deadline=None, max_examples=60)
@given(programs(), st.sampled_from(language.OPS))
def test_a_random_program_is_accepted_as_it_stands(request: dict[str, Any], name: str) -> None:
    program = read({**request, "op": name})
    assert program.inputs == request["inputs"]
    assert [[s.name, s.operation, *s.operands] for s in program.steps] == request["steps"]


@settings(deadline=None, max_examples=60)
@given(programs(most_steps=8))
def test_inferred_shapes_are_those_of_the_forward_pass(request: dict[str, Any]) -> None:
    """A gradient of any name is refused just where its matrix turns out not to be 1 by 1."""
    program = read(request)
    shapes: dict[str, Shape] = {n: (len(m), len(m[0])) for n, m in program.inputs.items()}
    for name, operation, operands in program.steps:
        inferred = DIALECTS["tiny"].result_shape(
            operation, *(shapes[operand] for operand in operands)
        )
        assert inferred is not None
        shapes[name] = inferred
    for name, shape in shapes.items():
        value = read({**request, "op": "value", "output": name})
        matrix = oracle.evaluate(value, value.inputs)
        assert [len(row) for row in matrix] == [shape[1]] * shape[0]
        assert words({**request, "output": name}) == ([] if shape == ONE_BY_ONE else ["output"])


SHAPES: dict[str, list[Shape]] = {
    "tiny": [(rows, columns) for rows in (1, 2, 3) for columns in (1, 2, 3)],
    "tensor": [
        shape
        for rank in range(5)
        for shape in itertools.product((1, 2, 3)[: 5 - rank], repeat=rank)
    ],
}


@pytest.mark.parametrize(
    ("exercise", "operation"),
    [(name, operation) for name, dialect in DIALECTS.items() for operation in dialect.arity],
)
def test_shapes_fit_just_where_torch_says_so(exercise: str, operation: str) -> None:
    import torch

    from grader.peers.torch_peer import OPERATIONS

    dialect = DIALECTS[exercise]
    for shapes in itertools.product(SHAPES[exercise], repeat=dialect.arity[operation]):
        try:
            result = tuple(OPERATIONS[operation](*map(torch.ones, shapes)).shape)
        except RuntimeError:
            result = None
        if operation == "matmul" and any(len(shape) != 2 for shape in shapes):
            result = None  # torch has products of other ranks, the exercise has not
        if operation in ("sum", "mean"):
            result = dialect.total
        assert dialect.result_shape(operation, *shapes) == result, (operation, shapes)
