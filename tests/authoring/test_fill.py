"""Expected results are written into fixture files, and nothing else in them changes."""

import json
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import oracle
from grader.authoring.fill import WIDTH, filled
from grader.kit.case import Case, Returns, read_cases
from grader.kit.strict_yaml import FixtureError
from grader.peers import load_library
from tests.programs import programs

TORCH = load_library("torch")

# A file with everything that could get lost.
FILE = """\
# What the file is about.

# About the first case.
- case: empty   # in passing
  why: nothing is expected yet
  op: grad
  inputs: {x: [[2, 3]],   y: [[4], [5]]}
  steps:
    - [p, matmul, x, y]
    # a remark among the steps

    - [q, mul, p, p]   # and one beside them
  output: q

# About the second case.
- case: full
  why: what is there was written by hand, and is wrong
  op: value
  inputs: {x: [[2]]}
  steps: []
  output: x
  returns:
    value: [[99]]   # so far
  guards: [a-bug]


- case: refused
  why: an error has nothing to fill in
  op: grad
  inputs: {x: [[2, 3]]}
  steps: []
  output: x
  raises: output

- case: limited
  why: the limit stays at the end
  op: grad
  inputs: {x: [[2]]}
  steps: []
  output: x
  # A remark about the limit.
  seconds: 2
# The end.
"""
HAND_WRITTEN = "    value: [[99]]   # so far\n"


def answer(case: Case) -> dict[str, Any]:
    return oracle.answer(case.request, TORCH)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny/visible/stage1/made_up.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(FILE, encoding="utf-8")
    return path


def fill(file: Path, *, everything: bool = False) -> int:
    text, count = filled(file, answer, everything=everything)
    file.write_text(text, encoding="utf-8", newline="")
    return count


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that have gone, and those that have come."""
    lines = list(ndiff(before.splitlines(keepends=True), after.splitlines(keepends=True)))
    gone, come = ([line[2:] for line in lines if line.startswith(sign)] for sign in ("- ", "+ "))
    return gone, come


def expectations(file: Path) -> dict[str, Any]:
    return {case.name: case.expects for case in read_cases(file)}


def with_case(request: dict[str, Any]) -> str:
    """A file with one case, on which nothing is expected yet."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in request.items()]
    return "\n  ".join(["- case: made_up", "why: tests need cases", *lines]) + "\n"


# --- what is filled in ---------------------------------------------------------------------------


def test_only_what_is_missing_is_filled_in(file: Path) -> None:
    assert fill(file) == 2
    gone, come = changes(FILE, file.read_text(encoding="utf-8"))
    assert gone == []
    assert "".join(come) == (
        "  returns:\n    value: 529.0\n    grads:\n"
        "      x: [[184.0, 230.0]]\n      y: [[92.0], [138.0]]\n"
        "  returns:\n    value: 2.0\n    grads:\n      x: [[1.0]]\n"
    )


def test_what_is_read_back_is_what_the_oracle_gave(file: Path) -> None:
    before = read_cases(file)
    fill(file, everything=True)
    after = read_cases(file)
    wanted = [c.expects if c.name == "refused" else Returns(answer(c)) for c in before]
    assert [case.expects for case in after] == wanted
    assert [case.request for case in after] == [case.request for case in before]
    assert [(case.seconds, case.guards) for case in after] == [
        (case.seconds, case.guards) for case in before
    ]


@pytest.mark.parametrize("everything", [False, True])
def test_filling_again_changes_nothing(file: Path, *, everything: bool) -> None:
    fill(file, everything=everything)
    once = file.read_bytes()
    assert fill(file, everything=everything) == (3 if everything else 0)
    assert file.read_bytes() == once


def test_everything_computes_again_what_is_there(file: Path) -> None:
    assert fill(file, everything=True) == 3
    gone, come = changes(FILE, file.read_text(encoding="utf-8"))
    assert gone == [HAND_WRITTEN]
    assert "    value: [[2.0]]\n" in come
    assert expectations(file)["full"] == Returns({"value": [[2.0]]})


def test_a_file_with_nothing_to_fill_stays_as_it_is(file: Path) -> None:
    fill(file)
    text = file.read_text(encoding="utf-8")
    assert filled(file, answer, everything=False) == (text, 0)


# --- where it stands -----------------------------------------------------------------------------


def test_a_result_stands_at_the_end_of_its_case_but_before_limit_and_guards(file: Path) -> None:
    fill(file)
    text = file.read_text(encoding="utf-8")
    assert "  output: q\n  returns:\n    value: 529.0\n" in text
    assert "      y: [[92.0], [138.0]]\n\n# About the second case.\n" in text
    assert text.endswith("  seconds: 2\n# The end.\n")


def test_a_remark_stays_above_what_it_is_about(file: Path) -> None:
    fill(file)
    assert "  # A remark about the limit.\n  seconds: 2\n" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["seconds: 2", "guards: [a-bug]"])
def test_a_remark_after_an_old_result_is_kept(file: Path, key: str) -> None:
    case = with_case({"op": "value", "inputs": {"x": [[1]]}, "steps": [], "output": "x"})
    end = f"  # A remark.\n  {key}\n"
    file.write_text(f"{case}  returns:\n    value: [[99]]\n{end}", encoding="utf-8")
    fill(file, everything=True)
    assert file.read_text(encoding="utf-8") == f"{case}  returns:\n    value: [[1.0]]\n{end}"


@pytest.mark.parametrize(
    "old",
    [
        "  returns: {value: [[99]]}\n",
        "  returns:\n    value:\n      - [99]\n",
        "  returns:\n    value: [\n\n      [99]]\n",
        '  "returns":\n    value: [[99]]\n',
    ],
)
def test_an_old_result_is_replaced_however_it_was_written(file: Path, old: str) -> None:
    case = with_case({"op": "value", "inputs": {"x": [[1]]}, "steps": [], "output": "x"})
    file.write_text(case + old + "  seconds: 2\n", encoding="utf-8")
    fill(file, everything=True)
    text = f"{case}  returns:\n    value: [[1.0]]\n  seconds: 2\n"
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        "- {case: a, why: b, op: value, inputs: {x: [[1]]}, steps: [], output: x}\n",
        "-   case: a\n    why: b\n    op: value\n    inputs: {x: [[1]]}\n    steps: []\n"
        "    output: x\n",
        "  - case: a\n    why: b\n    op: value\n    inputs: {x: [[1]]}\n    steps: []\n"
        "    output: x\n",
    ],
)
def test_a_file_in_another_style_is_filled_right_or_refused(file: Path, text: str) -> None:
    """Valid YAML does not become invalid."""
    file.write_text(text, encoding="utf-8")
    try:
        fill(file)
    except FixtureError:
        assert file.read_text(encoding="utf-8") == text
    else:
        assert expectations(file) == {"a": Returns({"value": [[1.0]]})}


# --- how it is written ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("x", "X_1", "yes", "on", "null", "true", "False", "1", "1e5", ".inf", "-", "~", "", " "),
        *("a b", "a: b", "a#b", "#a", "{a}", "[a]", "&a", "*a", "!a", "|", ">", "%", "@a", "`a"),
        *("'a'", '"a"', "a\\b", "a\nb", "\t", "=", "<<", "?", "---", "h.1", "x,y"),
        *("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "\N{SNOWMAN}", "\N{GRINNING FACE}", "\x85"),
    ],
    ids=repr,
)
def test_a_name_is_quoted_where_it_must_be(file: Path, name: str) -> None:
    plain = {"op": "grad", "inputs": {"x": [[1]]}, "steps": [], "output": "x"}
    quoted = json.dumps(name) if name != "\N{GRINNING FACE}" else f'"{name}"'
    file.write_text(with_case(plain).replace('"x"', quoted), encoding="utf-8")
    assert read_cases(file)[0].request["output"] == name, "the test's own file is wrong"
    fill(file)
    wanted = Returns({"value": 1.0, "grads": {name: [[1.0]]}})
    assert expectations(file) == {"made_up": wanted}


@pytest.mark.parametrize("rows", [1, 2, 3, 12])
@pytest.mark.parametrize("columns", [1, 4, 9, 30])
@pytest.mark.parametrize("op", ["value", "grad"])
def test_a_matrix_of_any_size_is_read_back_as_it_was(
    file: Path, rows: int, columns: int, op: str
) -> None:
    matrix = [[i + j / 8 + 0.000125 for j in range(columns)] for i in range(rows)]
    request: dict[str, Any] = {"op": op, "inputs": {"x": matrix}, "steps": [], "output": "x"}
    if op == "grad":
        request |= {"steps": [["p", "mul", "x", "x"], ["y", "sum", "p"]], "output": "y"}
    file.write_text(with_case(request), encoding="utf-8")
    (case,) = read_cases(file)
    fill(file)
    assert expectations(file) == {"made_up": Returns(answer(case))}


def test_a_long_matrix_is_broken_over_lines_row_under_row(file: Path) -> None:
    matrix = [[i + j / 8 + 0.000125 for j in range(8)] for i in range(3)]
    request = {"op": "value", "inputs": {"x": matrix}, "steps": [], "output": "x"}
    file.write_text(with_case(request), encoding="utf-8")
    _, come = changes(file.read_text(encoding="utf-8"), filled(file, answer, everything=False)[0])
    assert all(len(line) <= WIDTH + 1 for line in come)
    assert [line[: len("    value: [[")] for line in come[1:]] == [
        "    value: [[",
        "            [",
        "            [",
    ]


@settings(deadline=None, max_examples=40)
@given(st.lists(programs(), min_size=1, max_size=3), st.sampled_from(["grad", "gradcheck"]))
def test_random_programs_are_filled_with_what_the_oracle_gives(
    tmp_path_factory: pytest.TempPathFactory, requests: list[dict[str, Any]], op: str
) -> None:
    file = tmp_path_factory.mktemp("fill") / "tiny/visible/stage1/made_up.yaml"
    file.parent.mkdir(parents=True)
    texts = [with_case({**r, "op": op}).replace("made_up", f"c{n}") for n, r in enumerate(requests)]
    file.write_text("\n".join(texts), encoding="utf-8")
    cases = read_cases(file)
    assert fill(file) == len(requests)
    assert expectations(file) == {case.name: Returns(answer(case)) for case in cases}


# --- what is wrong -------------------------------------------------------------------------------


def test_a_broken_file_is_refused_with_its_place(file: Path) -> None:
    file.write_text(FILE + "- case: Broken\n", encoding="utf-8")
    with pytest.raises(FixtureError) as caught:
        filled(file, answer, everything=False)
    assert str(caught.value).startswith(f"{file}:{FILE.count(chr(10)) + 1}: ")
