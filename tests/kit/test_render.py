"""The report of a case that did not pass, as a candidate reads it in a terminal."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit.case import Case, Raises, Returns
from grader.kit.engine import Frame, Outcome, Raised, Returned, TimedOut
from grader.kit.judge import judge
from grader.kit.render import MOST_CODE, MOST_STEPS, MOST_WIDTH, failure, program
from grader.kit.repeat import expanded
from tests.cases import case, scenario
from tests.golden import assert_golden
from tests.kit.values import json_values, results

GOLDEN = Path(__file__).parent / "golden"

PRODUCT = case(
    name="product_then_sum",
    why="each operand gets the other one as its gradient",
    line=12,
    op="grad",
    inputs={"a": [[1.0, -2.0], [0.5, 4.0]], "b": [[3.0, 1.0], [2.0, -1.0]]},
    steps=[["p", "mul", "a", "b"], ["y", "sum", "p"]],
    output="y",
    expects=Returns(
        {"value": -2.0, "grads": {"a": [[3.0, 1.0], [2.0, -1.0]], "b": [[1.0, -2.0], [0.5, 4.0]]}}
    ),
)
RIGHT = {"value": -2.0, "grads": {"a": [[3.0, 1.0], [2.0, -1.0]], "b": [[1.0, -2.0], [0.5, 4.0]]}}
RESIDUAL = {
    "repeat": {
        "times": 300,
        "carry": {"h": "x"},
        "steps": [["z", "matmul", "h", "w"], ["t", "tanh", "z"], ["h", "add", "h", "t"]],
        "result": "h",
    }
}
DEEP = case(
    name="three_hundred_layers",
    why="every layer uses the layer before it twice",
    op="grad",
    inputs={"x": [[0.5, -0.25]], "w": [[0.001, 0.0], [0.0, 0.002]]},
    steps=expanded([RESIDUAL, ["y", "sum", "h"]]),
    output="y",
)
UNEVEN = case(
    name="rows_of_different_length",
    why="such a list is no matrix",
    inputs={"x": [[1, 2], [3]]},
    expects=Raises("matrix"),
)
FRAMES = (
    Frame("tiny.py", 88, "autograd", "return backward(program, tape)"),
    Frame("tiny.py", 61, "backward", "for rule in reversed(tape):"),
    Frame("rules.py", 9, "pull", 'grad = grads["t"]'),
)


def tall(rows: int, columns: int, *wrong: tuple[int, int]) -> tuple[Any, Any]:
    """A matrix of distinct numbers, and the same with some entries wrong."""
    right = [[float(100 * i + j) for j in range(columns)] for i in range(rows)]
    actual = [list(row) for row in right]
    for i, j in wrong:
        actual[i][j] = -actual[i][j] - 0.5
    return right, actual


def returned(value: Any = -2.0, **grads: Any) -> Returned:
    return Returned({"value": value, "grads": {**RIGHT["grads"], **grads}}, 0.01)  # type: ignore[dict-item]


def with_fields(original: Case, **fields: Any) -> Case:
    return replace(original, **fields)


def tall_value() -> tuple[Case, Outcome]:
    right, actual = tall(30, 2, (17, 1), (20, 0))
    return case(expects=Returns({"value": right})), Returned({"value": actual}, 0.01)


def verdicts() -> dict[str, tuple[Case, Outcome]]:
    without_b = Returned({"value": -2.0, "grads": {"a": RIGHT["grads"]["a"]}}, 0.01)  # type: ignore[index]
    checked = case(
        op="gradcheck", expects=Returns({"passed": True, "errors": {"x": 0.0, "w": 0.0}})
    )
    return {
        "wrong_gradient": (PRODUCT, returned(a=[[3.0, 1.0], [-2.0, 0.25]])),
        "wrong_shape": (PRODUCT, returned(b=[[1.0, -2.0, 0.5, 4.0]])),
        "missing_gradient": (PRODUCT, without_b),
        "raised": (PRODUCT, Raised("KeyError", "'t'", FRAMES, 0.01)),
        "raised_instead_of_value_error": (UNEVEN, Raised("IndexError", "", FRAMES[:1], 0.01)),
        "timed_out_in_a_deep_program": (
            with_fields(DEEP, steps=[RESIDUAL, ["y", "sum", "h"]], seconds=2.0),
            TimedOut(2.0),
        ),
        "large_matrix": tall_value(),
        "after_earlier_requests": (
            with_fields(PRODUCT, first=({**PRODUCT.request, "op": "value"}, PRODUCT.request)),
            returned(a=[[6.0, 2.0], [4.0, -2.0]]),
        ),
        "gradcheck": (
            checked,
            Returned({"passed": False, "errors": {"x": 0.0, "w": 0.125}}, 0.01),
        ),
    }


def report(asked: Case, outcome: Outcome) -> str:
    return failure(judge(asked, outcome))


@pytest.mark.parametrize("name", verdicts())
def test_the_report_is_the_one_on_file(name: str) -> None:
    assert_golden(report(*verdicts()[name]), GOLDEN / f"{name}.txt")


@pytest.mark.parametrize("name", verdicts())
def test_the_first_line_is_the_fact(name: str) -> None:
    verdict = judge(*verdicts()[name])
    first = failure(verdict).splitlines()[0]
    assert first == f"{verdict.status.replace('_', ' ')}: {verdict.message}"


def test_the_case_is_named_with_a_path_that_can_be_followed_from_here() -> None:
    far = with_fields(PRODUCT, path=Path.cwd() / "fixtures" / "x.yaml", line=7)
    where = os.path.join("fixtures", "x.yaml")  # noqa: PTH118
    assert f"\n{where}:7: product_then_sum\n" in report(far, TimedOut(1.0))


# --- the program ---------------------------------------------------------------------------------


def test_a_repeat_block_is_shown_as_it_was_written() -> None:
    assert program(with_fields(DEEP, steps=[RESIDUAL, ["y", "sum", "h"]]))[-5:] == [
        "  h = x, then 300 times:",
        "    z = matmul(h, w)",
        "    t = tanh(z)",
        "    h = add(h, t)",
        "  y = sum(h)",
    ]


def test_of_many_steps_the_first_and_the_last_are_shown() -> None:
    lines = program(DEEP)
    steps = lines[lines.index("  z.1 = matmul(x, w)") :]
    assert len(steps) == MOST_STEPS + 1
    assert steps[MOST_STEPS // 2] == f"  ... {901 - MOST_STEPS} steps ..."
    assert steps[-1] == "  y = sum(h)"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"inputs": "nothing"}, "  inputs = 'nothing'"),
        ({"inputs": {"x": 3}}, "  x = 3"),
        ({"inputs": {"x": [[1, 2]]}}, "  x = [[1, 2]]"),
        ({"inputs": {"x": [[1], [2, 3]]}}, "  x = [[1], [2, 3]]"),
        ({"inputs": {"x": [[[1]], [[2]]]}}, "  x = [[[1]], [[2]]]"),
        ({"inputs": {"x": [[1, 20], [300, 4]]}}, "      [300,  4]"),
        ({"steps": "no steps"}, "  'no steps'"),
        ({"steps": [["y", "sum", 3]]}, "  ['y', 'sum', 3]"),
        ({"steps": [["y"]]}, "  ['y']"),
        ({"steps": [["y", "sum"]]}, "  y = sum()"),
        ({"steps": [{"y": 1}]}, "  {'y': 1}"),
    ],
)
def test_what_an_engine_has_to_refuse_is_shown_as_it_is(fields: dict[str, Any], line: str) -> None:
    assert line in program(case(**fields))


@pytest.mark.parametrize(
    ("upstream", "line"),
    [
        (2.0, "grad of y with upstream 2.0, where"),
        ([1.0, -0.5], "grad of y with upstream [1.0, -0.5], where"),
        ([[[1]], [[2]]], "grad of y with upstream [[[1]], [[2]]], where"),
    ],
)
def test_an_upstream_gradient_is_shown(upstream: Any, line: str) -> None:
    asked = with_fields(PRODUCT, request={**PRODUCT.request, "upstream": upstream})
    assert program(asked)[0] == line
    assert program(PRODUCT)[0] == "grad of y, where"


def test_of_a_large_upstream_gradient_the_beginning_is_shown() -> None:
    upstream = tall(30, 20)[0]
    first = program(with_fields(PRODUCT, request={**PRODUCT.request, "upstream": upstream}))[0]
    assert first.startswith("grad of y with upstream [[0.0, 1.0, ")
    assert len(first) <= MOST_WIDTH


# --- scenarios -----------------------------------------------------------------------------------

SHARED = """\
import gc

LIMIT = 3

def before(engine, tools):
    return {}


def shared(
    engine, tools, a, names
):
    x = tools.leaf(engine, a)

    (x * x).backward()
# a word on it
    return {"after": tools.numbers(x.grad)}

AFTER = 4


def shared_too(engine, tools):
    return {}
"""
PLAYED = scenario(
    "shared",
    SHARED,
    {"a": [2.0, 3], "names": "x"},
    path=Path("fixtures/tensor/visible/stage1/sharing.yaml"),
    expects=Returns({"after": [4.0, 6.0], "kind": "RuntimeError", "none": None}),
)


def test_a_scenario_is_shown_as_a_call_and_its_code() -> None:
    where = os.path.join("fixtures", "tensor", "visible", "stage1", "sharing.py")  # noqa: PTH118
    assert program(PLAYED) == [
        f"shared(a=[2.0, 3], names='x'), of {where}:",
        "  def shared(",
        "      engine, tools, a, names",
        "  ):",
        "      x = tools.leaf(engine, a)",
        "",
        "      (x * x).backward()",
        "  # a word on it",
        '      return {"after": tools.numbers(x.grad)}',
    ]


def test_a_scenario_at_the_end_of_its_file_is_shown_to_the_end() -> None:
    given = {"scenario": "shared_too", "given": {}, "source": SHARED}
    call, *code = program(with_fields(PLAYED, request=given))
    assert call.startswith("shared_too(), of ")
    assert code == ["  def shared_too(engine, tools):", "      return {}"]


def test_of_long_code_the_beginning_is_shown() -> None:
    body = [f"    x = {n}" for n in range(200)]
    code = program(scenario("long", "\n".join(["def long(engine, tools):", *body])))[1:]
    assert code == ["  def long(engine, tools):", *(f"  {line}" for line in body[: MOST_CODE - 1]),
                    "      ..."]  # fmt: skip


def test_of_much_that_a_scenario_was_given_the_beginning_is_shown() -> None:
    call = program(scenario("f", "def f(engine, tools, x): ...", {"x": list(range(1_000))}))[0]
    assert call.startswith("f(x=[0, 1, 2, ")
    assert call.endswith("...")
    assert len(call) == MOST_WIDTH


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (
            {"after": [4.0, 5.0], "kind": "RuntimeError", "none": None},
            ["after: expected [4.0, 6.0], got [4.0, 5.0]"],
        ),
        (
            {"after": [4.0, 6.0], "kind": "", "none": 0.0},
            ["kind: expected 'RuntimeError', got ''", "none: expected None, got 0.0"],
        ),
    ],
)
def test_what_a_scenario_returned_is_shown_beside_what_was_expected(
    result: dict[str, Any], shown: list[str]
) -> None:
    blocks = report(PLAYED, Returned(result, 0.01)).split("\n\n")
    assert blocks[-len(shown) :] == shown
    assert f"\n{program(PLAYED)[0]}\n" in "\n\n".join(blocks)


def test_memory_that_stays_is_the_fact_and_the_scenario_is_shown() -> None:
    lean = with_fields(PLAYED, memory=24.0)
    assert isinstance(lean.expects, Returns)
    mib = 1 << 20
    text = report(lean, Returned(lean.expects.result, 0.01, (0, 30 * mib)))
    fact = "wrong: memory grew by 30 MiB, where at most 24 MiB should stay"
    assert text.splitlines()[0] == fact
    assert "\n".join(program(lean)[:4]) in text


# --- expected beside got -------------------------------------------------------------------------


def table(text: str) -> list[str]:
    """The last block of a report."""
    return text.rsplit("\n\n", maxsplit=1)[-1].splitlines()


@pytest.mark.parametrize(
    ("rows", "columns", "wrong"),
    [
        (30, 2, (0, 0)),
        (30, 2, (29, 1)),
        (11, 3, (10, 2)),
        (2, 40, (0, 0)),
        (2, 40, (1, 39)),
        (3, 12, (1, 6)),
        (30, 20, (17, 11)),
    ],
)
def test_however_large_a_matrix_its_first_wrong_entry_is_shown_beside_what_was_expected(
    rows: int, columns: int, wrong: tuple[int, int]
) -> None:
    right, actual = tall(rows, columns, wrong)
    asked = case(expects=Returns({"value": right}))
    lines = table(report(asked, Returned({"value": actual}, 0.01)))
    i, j = wrong
    (row,) = (line for line in lines if f">{actual[i][j]!r}<" in line)
    assert f" {right[i][j]!r} " in row
    assert len(lines) <= 15
    assert max(map(len, lines)) <= MOST_WIDTH


def test_both_sides_show_the_same_rows() -> None:
    lines = [line.split() for line in table(report(*tall_value()))]
    entries = [line for line in lines if line[0].replace(".", "").isdigit()]
    assert entries
    for line in entries:
        got = [word.strip("><") for word in line[2:]]
        wrong = [word for word in line if word.startswith(">")]
        assert wrong or line[:2] == got


def test_only_the_parts_that_are_wrong_are_shown() -> None:
    text = report(PRODUCT, returned(b=[[0.0, 0.0], [0.0, 0.0]]))
    assert "\ngradient of b, 2 by 2:\n" in text
    assert "\ngradient of a" not in text
    assert "\nvalue" not in text


@pytest.mark.parametrize(
    "got",
    [
        None,
        [],
        [[]],
        3.0,
        "text",
        [[1.0], [2.0, 3.0]],
        [[1.0, 2.0], 3.0],
        [[None, "x"], [[], {}]],
        [[[1.0]]],
        {"deep": [1]},
        [[0.0, 0.0]] * 500,
    ],
    ids=lambda got: repr(got)[:20],
)
def test_whatever_was_got_instead_of_a_matrix_can_be_shown(got: Any) -> None:
    lines = table(report(PRODUCT, returned(b=got)))
    assert lines[0] == "gradient of b, 2 by 2:"
    assert lines[1].split() == ["expected", "got"]
    assert len(lines) <= 15
    assert max(map(len, lines)) <= MOST_WIDTH


# --- for any terminal ----------------------------------------------------------------------------

EXPECTATIONS = st.one_of(results().map(Returns), st.sampled_from(["shape", "name"]).map(Raises))


@given(EXPECTATIONS, json_values(st.floats()))
@settings(deadline=None, max_examples=100)
def test_any_result_gives_a_report_of_short_plain_lines(
    expects: Returns | Raises, result: Any
) -> None:
    fact, *lines = report(case(expects=expects), Returned(result, 0.01)).splitlines()
    assert (fact + "".join(lines)).isprintable()
    assert all(len(line) <= MOST_WIDTH for line in lines)


@given(
    st.text(min_size=1), st.text(), st.builds(Frame, *[st.text(), st.integers()] + [st.text()] * 2)
)
@settings(deadline=None, max_examples=100)
def test_any_exception_gives_a_report_of_plain_lines(kind: str, message: str, frame: Frame) -> None:
    text = report(PRODUCT, Raised(kind, message, (frame,), 0.01))
    assert text.replace("\n", "").isprintable()


def test_a_fixture_may_be_written_in_any_language() -> None:
    text = report(with_fields(PRODUCT, why="größer als nichts"), TimedOut(1.0))
    assert "why: größer als nichts" in text
