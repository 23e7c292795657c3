"""A repeat block is worth what one would get by writing its rounds out by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit import repeat
from grader.kit.repeat import MOST_STEPS, RepeatError, expanded, is_repeat

RESIDUAL = {
    "times": 3,
    "carry": {"h": "x"},
    "steps": [["t", "tanh", "h"], ["h", "add", "h", "t"]],
    "result": "h",
}


def block(**changes: Any) -> dict[str, Any]:
    return {"repeat": {**RESIDUAL, **changes}}


def unrolled(body: dict[str, Any]) -> list[list[str]]:
    """The same by the simplest means: a dictionary of what each name stands for right now."""
    flat = []
    carried = dict(body["carry"])
    for turn in range(1, body["times"] + 1):
        now = dict(carried)
        for name, operation, *operands in body["steps"]:
            flat.append([f"{name}.{turn}", operation, *(now.get(word, word) for word in operands)])
            now[name] = f"{name}.{turn}"
        carried = {name: now[name] for name in carried}
    last = carried[body["result"]]
    return [[body["result"] if word == last else word for word in step] for step in flat]


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    carry = draw(st.dictionaries(st.sampled_from("hg"), st.sampled_from("xyh"), min_size=1))
    result = draw(st.sampled_from(sorted(carry)))
    others = draw(st.lists(st.sampled_from([n for n in "hgtu" if n != result]), unique=True))
    names = draw(st.permutations([result, *others]))
    operands = st.lists(st.sampled_from("hgtuxw"), min_size=1, max_size=2)
    steps = [[name, draw(st.sampled_from(["add", "tanh"])), *draw(operands)] for name in names]
    return {"times": draw(st.integers(1, 6)), "carry": carry, "steps": steps, "result": result}


@given(bodies())
@settings(deadline=None, max_examples=100)
def test_a_block_is_what_its_rounds_are_one_after_the_other(body: dict[str, Any]) -> None:
    assert expanded([{"repeat": body}]) == unrolled(body)


@given(bodies())
@settings(deadline=None, max_examples=100)
def test_every_round_has_names_of_its_own(body: dict[str, Any]) -> None:
    names = [step[0] for step in expanded([{"repeat": body}])]
    assert len(set(names)) == len(names) == body["times"] * len(body["steps"])
    assert body["result"] in names


def test_a_carry_starts_as_an_outer_name_and_then_is_the_round_before() -> None:
    assert expanded([block()]) == [
        ["t.1", "tanh", "x"],
        ["h.1", "add", "x", "t.1"],
        ["t.2", "tanh", "h.1"],
        ["h.2", "add", "h.1", "t.2"],
        ["t.3", "tanh", "h.2"],
        ["h", "add", "h.2", "t.3"],
    ]


def test_after_a_step_has_defined_the_carry_the_round_goes_on_with_the_new_value() -> None:
    steps = [["h", "tanh", "h"], ["k", "add", "h", "h"]]
    assert expanded([block(times=2, steps=steps)]) == [
        ["h.1", "tanh", "x"],
        ["k.1", "add", "h.1", "h.1"],
        ["h", "tanh", "h.1"],
        ["k.2", "add", "h", "h"],
    ]


def test_two_carries_can_change_places() -> None:
    body = {
        "times": 2,
        "carry": {"a": "x", "b": "y"},
        "steps": [["t", "add", "a", "b"], ["a", "tanh", "b"], ["b", "tanh", "t"]],
        "result": "b",
    }
    assert expanded([{"repeat": body}]) == [
        ["t.1", "add", "x", "y"],
        ["a.1", "tanh", "y"],
        ["b.1", "tanh", "t.1"],
        ["t.2", "add", "a.1", "b.1"],
        ["a.2", "tanh", "b.1"],
        ["b", "tanh", "t.2"],
    ]


def test_a_carry_that_no_step_defines_stays_the_outer_name() -> None:
    steps = [["h", "mul", "h", "k"]]
    assert expanded([block(times=2, carry={"h": "x", "k": "w"}, steps=steps)]) == [
        ["h.1", "mul", "x", "w"],
        ["h", "mul", "h.1", "w"],
    ]


def test_other_names_are_those_of_the_program_around_the_block() -> None:
    assert expanded([block(times=1, steps=[["h", "matmul", "h", "w"]])]) == [
        ["h", "matmul", "x", "w"]
    ]


def test_steps_around_a_block_stay_where_and_what_they_are() -> None:
    odd: list[Any] = [["x", "tanh", "a"], "no step", None, {"other": 1}, ["y", "sum", "h"]]
    flat = expanded([*odd[:4], block(times=1), odd[4]])
    assert flat == [*odd[:4], ["t.1", "tanh", "x"], ["h", "add", "x", "t.1"], odd[4]]


def test_blocks_can_follow_one_another() -> None:
    second = block(times=1, carry={"g": "h"}, steps=[["g", "tanh", "g"]], result="g")
    assert expanded([block(times=1), second])[-1] == ["g", "tanh", "h"]


def test_a_deep_program_is_written_out_in_full() -> None:
    flat = expanded([block(times=20_000)])
    assert len({step[0] for step in flat}) == len(flat) == 40_000
    assert flat[-1] == ["h", "add", "h.19999", "t.20000"]


def test_a_program_may_be_as_long_as_the_limit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeat, "MOST_STEPS", 6)
    assert len(expanded([block(times=3)])) == 6
    with pytest.raises(RepeatError, match="4 rounds of 2 steps are more than 6"):
        expanded([block(times=4)])


def test_writing_out_leaves_the_block_as_it_was() -> None:
    steps = [block()]
    expanded(steps)
    assert steps == [block()]


@pytest.mark.parametrize(
    ("step", "is_one"),
    [(block(), True), ({"repeat": None}, True), ({"other": 1}, False), (["repeat"], False)],
)
def test_a_block_is_known_by_its_word(step: Any, is_one: bool) -> None:  # noqa: FBT001
    assert is_repeat(step) == is_one


FORM = "repeat takes {times: N, carry: {...}, steps: [...], result: NAME}"
STEPS = "the steps of a repeat block must be [name, operation, input names...]"
CARRY = "carry must map inner names to the outer names they start as"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"repeat": None}, FORM),
        ({"repeat": {}}, FORM),
        ({"repeat": [1]}, FORM),
        ({**block(), "and": 1}, FORM),
        (block(more=1), FORM),
        (block(times=0), "times must be a whole number above 0, not 0"),
        (block(times=-3), "times must be a whole number above 0, not -3"),
        (block(times=True), "times must be a whole number above 0, not True"),
        (block(times=2.0), "times must be a whole number above 0, not 2.0"),
        (block(times="many"), "times must be a whole number above 0, not 'many'"),
        (block(carry=["h"]), CARRY),
        (block(carry={"h": 1}), CARRY),
        (block(steps=[]), STEPS),
        (block(steps="h"), STEPS),
        (block(steps=["h"]), STEPS),
        (block(steps=[["h"]]), STEPS),
        (block(steps=[["h", "tanh", 1]]), STEPS),
        (block(steps=[block()]), STEPS),
        (
            block(steps=[["h", "tanh", "h"], ["h", "sum", "h"]]),
            "must define each of its names once",
        ),
        (block(result="t"), "result must be a carry that the steps define, not 't'"),
        (block(carry={"h": "x", "k": "x"}, result="k"), "that the steps define, not 'k'"),
        (block(result=None), "result must be a carry that the steps define, not None"),
        (block(result=["h"]), "result must be a carry that the steps define, not ['h']"),
        (block(times=MOST_STEPS), f"{MOST_STEPS} rounds of 2 steps are more than {MOST_STEPS}"),
    ],
)
def test_a_block_that_cannot_be_written_out_says_why(wrong: Any, said: str) -> None:
    with pytest.raises(RepeatError) as caught:
        expanded([wrong])
    assert said in str(caught.value)
