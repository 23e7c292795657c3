"""What is wrong with a request, each thing once; and what shapes a right one has."""

import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import language, oracle
from grader.arrays import Shape, flat, shape_of
from grader.kit.case import ERROR_WORDS
from grader.language import DIALECTS, Program, problems, read
from tests.programs import ANY_PROGRAM, programs, tensor_programs

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


def words(request: dict[str, Any], exercise: str = "tiny") -> list[str]:
    return [problem.word for problem in problems(request, exercise)]


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
        *map(more, [["z", "tan", "a"], ["z", "Tanh", "a"], ["z", "", "a"], ["z", "sin", "a"]]),
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


@pytest.mark.parametrize(
    ("exercise", "requests"), [("tiny", programs()), ("tensor", tensor_programs())]
)
@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from(language.OPS))
def test_a_random_program_is_accepted_as_it_stands(
    exercise: str, requests: st.SearchStrategy[dict[str, Any]], data: st.DataObject, name: str
) -> None:
    request = data.draw(requests)
    program = read({**request, "op": name}, exercise)
    assert (program.inputs, program.upstream) == (request["inputs"], request.get("upstream"))
    assert [[s.name, s.operation, *s.operands] for s in program.steps] == request["steps"]


@settings(deadline=None, max_examples=120)
@given(ANY_PROGRAM)
def test_inferred_shapes_are_those_of_the_forward_pass(program: Program) -> None:
    """A gradient of any name is refused just where its value turns out to have many elements."""
    dialect = DIALECTS[program.exercise]
    shapes = {name: shape_of(value) for name, value in program.inputs.items()}
    for name, operation, operands in program.steps:
        inferred = dialect.result_shape(operation, *(shapes[operand] for operand in operands))
        assert inferred is not None
        shapes[name] = inferred
    request = {"op": "grad", "inputs": program.inputs, "steps": list(map(listed, program.steps))}
    for name, shape in shapes.items():
        value = oracle.evaluate(replace(program, output=name), program.inputs)
        assert shape_of(value) == shape
        refused = [] if dialect.has_one(shape) else ["output"]
        assert words({**request, "output": name}, program.exercise) == refused


def listed(step: language.Step) -> list[str]:
    return [step.name, step.operation, *step.operands]


# --- the other dialect ---------------------------------------------------------------------------

# Arrays of every rank, and every operation.
SOUND_TENSOR: dict[str, Any] = {
    "op": "grad",
    "inputs": {
        "a": [[1, 2.5, -3], [4, 5, 6]],
        "b": [1, 0, 2],
        "c": 7,
        "d": [[[1]], [[-1]]],
        "k": [[1], [2], [0.5]],
    },
    "steps": [
        ["p", "mul", "a", "b"],
        ["q", "relu", "p"],
        ["r", "sub", "q", "c"],
        ["t", "add", "r", "d"],
        ["m", "mean", "t"],
        ["n", "matmul", "a", "k"],
        ["l", "sum", "n"],
        ["y", "add", "m", "l"],
    ],
    "output": "y",
}

ARRAYS = [0, -2.5, [1], [1, 2], [[1]], [[1, 2], [3, 4]], [[[1, 2]], [[3, 4]]], [[[[1]]]], 10**300]
NO_ARRAYS = [
    [], [[]], [[], []], [[[]]], [1, []], [[1], []], [[1, 2], [3]], [1, [2]], [[1], 2],
    [[[1], [2]], [[3]]], [[[1]], [2]], None, {}, {"x": 1}, (1,), [(1,)], "x", "1", ["1"], [["1"]],
    True, [True], [[1, False]], [None], math.nan, [math.inf], [[1, -math.inf]], 10**400, [10**400],
]  # fmt: skip


def tensor_words(*edits: Edit) -> list[str]:
    request = copy.deepcopy(SOUND_TENSOR)
    for edit in edits:
        edit(request)
    return words(request, "tensor")


def upstream(value: Any) -> Edit:
    return lambda request: request.update(upstream=value)


@pytest.mark.parametrize("value", ARRAYS)
def test_numbers_and_even_lists_of_any_depth_are_arrays(value: Any) -> None:
    assert tensor_words() == tensor_words(spare(value)) == []


@pytest.mark.parametrize("edit", [spare, used])
@pytest.mark.parametrize("value", NO_ARRAYS, ids=lambda value: repr(value)[:20])
def test_what_is_no_array_is_one_problem_however_much_is_wrong_with_it(
    value: Any, edit: Callable[[Any], Edit]
) -> None:
    assert tensor_words(edit(value)) == ["matrix"]


@pytest.mark.parametrize(
    ("word", "steps"),
    [
        ("shape", [["z", "matmul", "a", "b"]]),
        ("shape", [["z", "matmul", "c", "c"]]),
        ("shape", [["z", "matmul", "d", "d"]]),
        ("shape", [["z", "matmul", "a", "a"]]),
        ("shape", [["z", "add", "a", "k"]]),
        ("step", [["z", "tanh", "a"]]),
        ("step", [["z", "relu", "a", "a"]]),
        ("step", [["z", "sub", "a"]]),
        ("name", [["z", "relu", "nobody"]]),
    ],
)
def test_a_fault_in_a_step_is_one_problem_there_too(word: str, steps: list[list[str]]) -> None:
    assert tensor_words(more(*steps)) == [word]
    assert tensor_words(more(*steps, ["zz", "sum", "z"])) == [word]


OUTPUTS = {"c": 7, "t": [[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [1, 1, 1]]], "b": [1, 2, 3]}


@pytest.mark.parametrize("name", ["grad", "gradcheck"])
@pytest.mark.parametrize("told", OUTPUTS)
def test_an_output_of_several_elements_needs_an_upstream_of_its_shape(told: str, name: str) -> None:
    many = [] if told == "c" else ["output"]
    assert tensor_words(op(name), output(told)) == many
    for other, value in OUTPUTS.items():
        wanted = [] if other == told else ["shape"]
        assert tensor_words(op(name), output(told), upstream(value)) == wanted


@pytest.mark.parametrize(
    "value", [[], [1, 2], [1, 2, []], [1, 2, "3"], [1, 2, True], [1, 2, math.nan], None, "abc"]
)
def test_an_upstream_that_is_no_array_has_no_shape_either(value: Any) -> None:
    assert tensor_words(output("b"), upstream(value)) == ["shape"]


def test_an_upstream_of_what_is_unknown_is_not_wrong() -> None:
    assert tensor_words(used([]), output("p"), upstream([[[1]]])) == ["matrix"]


def test_a_value_needs_no_upstream() -> None:
    assert tensor_words(op("value"), output("t")) == []


@pytest.mark.parametrize("value", [7, [7], [[7]], [[[7]]]])
def test_one_element_is_one_of_any_rank(value: Any) -> None:
    assert tensor_words(spare(value), output("spare")) == []


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
        except (RuntimeError, ValueError):
            result = None
        if operation == "matmul" and any(len(shape) != 2 for shape in shapes):
            result = None  # torch has products of other ranks, the exercise has not
        if operation in ("sum", "mean"):
            result = dialect.total
        if operation == "softmax_cross_entropy":  # its targets are of the same shape, always
            result = dialect.total if len(set(shapes)) == 1 else None
        assert dialect.result_shape(operation, *shapes) == result, (operation, shapes)
