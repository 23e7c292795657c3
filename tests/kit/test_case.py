"""What a fixture file may say, and what is said about one that says something else."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.kit.case import (
    ERROR_WORDS,
    KEYS,
    SCENARIO_KEYS,
    FixtureError,
    Raises,
    Returns,
    Suite,
    names_in,
    read_cases,
    suite_of,
)
from grader.project import ROOT

FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*.yaml") if suite_of(path))
STAGE1 = Path("fixtures/tiny/visible/stage1")

PLAIN = """\
- case: first_one
  why: a case must be
  op: value
  inputs: {x: [[1.0]]}
  steps: []
  output: x
  returns: {value: [[1.0]]}
"""

FULL = """\
# What the file is about.

- case: first_one   # and a word on it
  why: it says why
  op: grad
  inputs: {x: [[2]], w: [[0.5]]}
  steps:
    - repeat: {times: 2, carry: {h: x}, steps: [[h, mul, h, w]], result: h}
    - [y, sum, h]
  output: y
  first: [{op: value}, {inputs: {x: [[3]]}}, {steps: [], output: x}]
  returns: {value: 0.5, grads: {x: [[0.25]], w: [[2.0]]}}
  seconds: 2
  guards: [a-bug, another-bug]

- case: second_one
  why: there are errors too
  op: value
  inputs: {x: [[1], [2, 3]]}
  steps: no steps at all
  output: x
  raises: matrix

- case: third_one
  why: its result has not been filled in
  op: gradcheck
  inputs: {}
  steps: []
  output: x
"""


def file(folder: Path, text: str, path: Path = STAGE1 / "x.yaml") -> Path:
    whole = folder / path
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_text(text, encoding="utf-8")
    return whole


def error(path: Path) -> str:
    """What read_cases says, without the path that it begins with."""
    with pytest.raises(FixtureError) as caught:
        read_cases(path)
    said = str(caught.value)
    assert said.startswith(f"{path}:")
    assert len(said.splitlines()) == 1
    return said.removeprefix(f"{path}:")


# --- good files ----------------------------------------------------------------------------------


def test_a_case_is_what_its_entry_says(tmp_path: Path) -> None:
    path = file(tmp_path, FULL)
    first = read_cases(path)[0]
    assert (first.name, first.why) == ("first_one", "it says why")
    assert (first.exercise, first.visibility, first.stage) == ("tiny", "visible", "stage1")
    assert first.expects == Returns({"value": 0.5, "grads": {"x": [[0.25]], "w": [[2.0]]}})
    assert (first.seconds, first.guards) == (2.0, ("a-bug", "another-bug"))
    assert (first.path, first.line) == (path, 3)


def test_a_request_has_its_repeat_blocks_written_out_and_the_steps_have_them_as_they_are(
    tmp_path: Path,
) -> None:
    case = read_cases(file(tmp_path, FULL))[0]
    assert case.request == {
        "op": "grad",
        "inputs": {"x": [[2]], "w": [[0.5]]},
        "steps": [["h.1", "mul", "x", "w"], ["h", "mul", "h.1", "w"], ["y", "sum", "h"]],
        "output": "y",
    }
    assert [type(step) for step in case.steps] == [dict, list]


def test_an_earlier_request_is_the_last_one_but_for_what_it_gives(tmp_path: Path) -> None:
    case = read_cases(file(tmp_path, FULL))[0]
    request = case.request
    assert case.requests == [
        {**request, "op": "value"},
        {**request, "inputs": {"x": [[3]]}},
        {**request, "steps": [], "output": "x"},
        request,
    ]


def test_an_earlier_request_may_have_repeat_blocks(tmp_path: Path) -> None:
    block = "{repeat: {times: 1, carry: {h: x}, steps: [[h, tanh, h]], result: h}}"
    case = read_cases(file(tmp_path, PLAIN + f"  first: [{{steps: [{block}]}}]\n"))[0]
    assert case.first[0]["steps"] == [["h", "tanh", "x"]]


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    _, second, third = read_cases(file(tmp_path, FULL))
    assert (second.seconds, second.guards, second.first) == (1.0, (), ())
    assert second.expects == Raises("matrix")
    assert third.expects is None


def test_what_an_engine_has_to_refuse_may_be_written(tmp_path: Path) -> None:
    second = read_cases(file(tmp_path, FULL))[1]
    assert second.request["steps"] == "no steps at all"
    assert second.request["inputs"] == {"x": [[1], [2, 3]]}


@pytest.mark.parametrize("word", ERROR_WORDS)
def test_every_error_word_can_be_expected(word: str, tmp_path: Path) -> None:
    text = PLAIN.replace("returns: {value: [[1.0]]}", f"raises: {word}")
    assert read_cases(file(tmp_path, text))[0].expects == Raises(word)


def test_a_file_may_hold_no_case_yet(tmp_path: Path) -> None:
    assert read_cases(file(tmp_path, "[]\n")) == []


@pytest.mark.parametrize(
    ("path", "suite"),
    [
        ("fixtures/tiny/visible/stage1/x.yaml", Suite("tiny", "visible", "stage1")),
        ("/far/away/tensor/hidden/contract/x.yaml", Suite("tensor", "hidden", "contract")),
        ("tiny/visible/stage1/x.yaml", Suite("tiny", "visible", "stage1")),
        ("fixtures/tensor/twists/no_grad/x.yaml", Suite("tensor", "twist", "no_grad")),
        ("fixtures/tiny/exercise.yaml", None),
        ("fixtures/tiny/twists/x.yaml", None),
        ("fixtures/tiny/twist/no_grad/x.yaml", None),
        ("fixtures/tiny/elsewhere/stage1/x.yaml", None),
        ("fixtures/tiny/visible/stage1/deeper/x.yaml", None),
        ("fixtures/tiny/visible/stage1/x.yml", None),
        ("visible/stage1/x.yaml", None),
    ],
)
def test_the_path_says_exercise_visibility_and_stage(path: str, suite: Suite | None) -> None:
    assert suite_of(Path(path)) == suite


# --- scenarios -----------------------------------------------------------------------------------

SCENARIO = """\
- case: played
  why: some things are no program
  scenario: twice
  given: {x: 2.5, names: [a, null], deep: {er: [[true]]}}
  memory: 24.5
  returns: {"after both": 5.0}
"""
SOURCE = """\
import gc

def other(engine, tools): ...

def twice(engine, tools, x, names, deep):
    return {"after both": 2 * x}
"""


def scenario(folder: Path, text: str = SCENARIO, source: str | None = SOURCE) -> Path:
    path = file(folder, text)
    if source is not None:
        path.with_suffix(".py").write_text(source, encoding="utf-8")
    return path


def test_a_scenarios_request_is_its_name_what_it_is_given_and_its_code(tmp_path: Path) -> None:
    (case,) = read_cases(scenario(tmp_path))
    given = {"x": 2.5, "names": ["a", None], "deep": {"er": [[True]]}}
    assert case.request == {"scenario": "twice", "given": given, "source": SOURCE}
    assert (case.is_scenario, case.first, case.requests) == (True, (), [case.request])
    assert (case.memory, case.steps) == (24.5, [])
    assert case.expects == Returns({"after both": 5.0})


def test_a_program_is_no_scenario_and_has_no_limit_on_memory(tmp_path: Path) -> None:
    for case in read_cases(file(tmp_path, FULL)):
        assert (case.is_scenario, case.memory) == (False, None)


def test_a_scenario_may_be_given_nothing_and_not_be_filled_in(tmp_path: Path) -> None:
    text = "- case: played\n  why: it is short\n  scenario: other\n"
    (case,) = read_cases(scenario(tmp_path, text))
    assert (case.request["given"], case.memory, case.expects) == ({}, None, None)


@pytest.mark.parametrize(
    ("written", "returned"),
    [
        ("{}", {}),
        ("{a: text, b: '', c: null, d: true, e: 1}", {"a": "text", "b": "", "c": None, "d": True,
                                                      "e": 1}),
        ("{deep: {er: [[a, null], [false]]}}", {"deep": {"er": [["a", None], [False]]}}),
    ],
)  # fmt: skip
def test_a_scenario_returns_plain_data_of_any_kind(
    written: str, returned: dict[str, Any], tmp_path: Path
) -> None:
    text = SCENARIO.replace('{"after both": 5.0}', written)
    assert read_cases(scenario(tmp_path, text))[0].expects == Returns(returned)


@pytest.mark.parametrize("upstream", ["2.0", "[1, 2]", "[[[1]], [[2]]]", "null"])
def test_a_program_may_have_an_upstream_gradient(upstream: str, tmp_path: Path) -> None:
    text = PLAIN + f"  upstream: {upstream}\n"
    request = read_cases(file(tmp_path, text))[0].request
    assert request["upstream"] == yaml.safe_load(upstream)
    assert "upstream" not in read_cases(file(tmp_path, PLAIN))[0].request


def test_an_earlier_request_may_have_another_upstream(tmp_path: Path) -> None:
    text = PLAIN + "  upstream: 2\n  first: [{upstream: 3}, {op: grad}]\n"
    requests = read_cases(file(tmp_path, text))[0].requests
    assert [request["upstream"] for request in requests] == [3, 2, 2]


@pytest.mark.parametrize("folder", ["visible", "hidden", "twists"])
def test_where_a_case_may_be_seen_is_said_by_its_folder(folder: str, tmp_path: Path) -> None:
    path = file(tmp_path, PLAIN, Path("fixtures") / "tensor" / folder / "no_grad" / "x.yaml")
    (case,) = read_cases(path)
    assert (case.exercise, case.stage) == ("tensor", "no_grad")
    assert case.visibility == ("twist" if folder == "twists" else folder)


NO_SCENARIO_KEYS = sorted({*KEYS} - {*SCENARIO_KEYS})
WRONG_SCENARIOS = {
    **{
        f"{key} in a scenario": ("scenario: twice", f"scenario: twice\n  {key}: []", 4,
                                 f"unknown key {key!r}; a scenario has {', '.join(SCENARIO_KEYS)}")
        for key in NO_SCENARIO_KEYS
    },
    "why missing": ("  why: some things are no program\n", "", 1, "has no 'why'"),
    "why blank": ("some things are no program", "' '", 2, "why must say in words"),
    "no function": ("twice", "thrice", 3, "x.py beside it defines no thrice"),
    "an import": ("twice", "gc", 3, "x.py beside it defines no gc"),
    "part of a name": ("twice", "twic", 3, "x.py beside it defines no twic"),
    "nothing": ("twice", "", 3, "None is no name of a function"),
    "a number": ("twice", "3", 3, "3 is no name of a function"),
    "a pattern": ("twice", "'t.*'", 3, "'t.*' is no name of a function"),
    "a list": ("twice", "[twice]", 3, "['twice'] is no name of a function"),
    "given a list": ("{x: 2.5, names: [a, null], deep: {er: [[true]]}}", "[2.5]", 4,
                     "given must be a mapping, an entry for each argument"),
    "given nothing": ("{x: 2.5, names: [a, null], deep: {er: [[true]]}}", "", 4,
                      "given must be a mapping"),
    "given a number": ("x: 2.5", "1: 2.5", 4, "must be a word"),
    "memory 0": ("24.5", "0", 5, "memory must be above 0 and at most 4096"),
    "memory below": ("24.5", "-1", 5, "memory must be above 0 and at most 4096"),
    "memory above": ("24.5", "4097", 5, "memory must be above 0 and at most 4096"),
    "memory a bool": ("24.5", "true", 5, "memory must be a number, not True"),
    "memory text": ("24.5", "'24'", 5, "memory must be a number, not '24'"),
    "memory nothing": ("24.5", "", 5, "memory must be a number, not None"),
    "returns a list": ('{"after both": 5.0}', "[5.0]", 6, "a scenario returns a mapping"),
    "returns a number": ('{"after both": 5.0}', "5.0", 6, "a scenario returns a mapping"),
    "returns nothing": ('{"after both": 5.0}', "", 6, "a scenario returns a mapping"),
    "seconds": ("memory: 24.5", "seconds: 61", 5, "seconds must be above 0 and at most 60"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_SCENARIOS)
def test_what_is_wrong_with_a_scenario_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    old, new, line, said = WRONG_SCENARIOS[name]
    assert SCENARIO.count(old) == 1
    text = error(scenario(tmp_path, SCENARIO.replace(old, new)))
    assert text.startswith(f"{line}: ")
    assert said in text


def test_a_scenario_without_a_file_beside_it_is_refused(tmp_path: Path) -> None:
    said = error(scenario(tmp_path, source=None))
    assert said.startswith("3: the scenario's file")
    assert said.endswith("cannot be read: No such file or directory")
    assert "x.py" in said


def test_a_scenarios_file_must_be_utf8_text(tmp_path: Path) -> None:
    path = scenario(tmp_path)
    path.with_suffix(".py").write_bytes(b"# caf\xe9\n" + SOURCE.encode())
    said = error(path)
    assert said.startswith("3: the scenario's file")
    assert "UTF-8" in said


def test_a_scenarios_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = scenario(tmp_path, source="\ufeff" + SOURCE)
    assert read_cases(path)[0].request["source"] == SOURCE


def test_a_program_has_no_limit_on_memory_to_give(tmp_path: Path) -> None:
    said = error(file(tmp_path, PLAIN + "  memory: 24\n"))
    assert said == f"8: unknown key 'memory'; a case has {', '.join(KEYS)}"


def test_a_scenario_is_found_without_its_file(tmp_path: Path) -> None:
    assert names_in(scenario(tmp_path, source=None)) == [("played", 1)]


# --- errors --------------------------------------------------------------------------------------

RETURNS = "returns: {value: [[1.0]]}"
REPEAT = "steps: [{{repeat: {{times: {}, carry: {{h: x}}, steps: [[h, tanh, h]], result: {}}}}}]"

WRONG = {
    "why missing": ("  why: a case must be\n", "", 1, "the case first_one has no 'why'"),
    "op missing": ("  op: value\n", "", 1, "the case first_one has no 'op'"),
    "inputs missing": ("  inputs: {x: [[1.0]]}\n", "", 1, "the case first_one has no 'inputs'"),
    "steps missing": ("  steps: []\n", "", 1, "the case first_one has no 'steps'"),
    "output missing": ("  output: x\n", "", 1, "the case first_one has no 'output'"),
    "why empty": ("a case must be", "''", 2, "why must say in words what the case is for"),
    "why blank": ("a case must be", "'  '", 2, "why must say in words what the case is for"),
    "why a number": ("a case must be", "3", 2, "why must say in words what the case is for"),
    "unknown key": ("op: value", "op: value\n  output_: x", 4, f"a case has {', '.join(KEYS)}"),
    "key twice": ("op: value", "op: value\n  op: grad", 4, "the key 'op' is given twice"),
    "name": ("first_one", "First_one", 1, "must be small letters, digits and _, a letter first"),
    "name with -": ("first_one", "first-one", 1, "must be small letters, digits and _"),
    "name a number": ("first_one", "1", 1, "the name 1 must be small letters, digits and _"),
    "name missing": ("first_one", "", 1, "the name None must be small letters, digits and _"),
    "case not first": ("- case: first_one\n  why", "- why", 1, "must begin with `- case: name`"),
    "raises too": ("output: x", "output: x\n  raises: op", 7, "returns or raises, not both"),
    "raises": (RETURNS, "raises: width", 7, "raises must be one of op, matrix, step, name, shape"),
    "raises nothing": (RETURNS, "raises:", 7, "raises must be one of op, matrix, step"),
    "raises a list": (RETURNS, "raises: [op]", 7, "raises must be one of op, matrix, step"),
    "returns of value": (RETURNS, "returns: {values: 1}", 7, "a value returns {value}"),
    "returns too much": (RETURNS, "returns: {value: 1, grads: {}}", 7, "a value returns {value}"),
    "returns a list": (RETURNS, "returns: [[1.0]]", 7, "a value returns {value}"),
    "returns nothing": (RETURNS, "returns:", 7, "a value returns {value}"),
    "returns of grad": ("op: value", "op: grad", 7, "a grad returns {grads, value}"),
    "returns of check": ("op: value", "op: gradcheck", 7, "a gradcheck returns {errors, passed}"),
    "returns of no op": ("op: value", "op: sum", 7, "op 'sum' returns nothing; use raises: op"),
    "returns of null": ("op: value", "op:", 7, "op None returns nothing; use raises: op"),
    "returns of list": ("op: value", "op: [value]", 7, "returns nothing; use raises: op"),
    "returns a word": (RETURNS, "returns: {value: [[l.0]]}", 7, "number"),
    "returns null": (RETURNS, "returns: {value: [[null]]}", 7, "number"),
    "seconds 0": (RETURNS, "seconds: 0", 7, "seconds must be above 0 and at most 60"),
    "seconds below": (RETURNS, "seconds: -1", 7, "seconds must be above 0 and at most 60"),
    "seconds above": (RETURNS, "seconds: 60.5", 7, "seconds must be above 0 and at most 60"),
    "seconds a bool": (RETURNS, "seconds: true", 7, "seconds must be a number, not True"),
    "seconds text": (RETURNS, "seconds: '2'", 7, "seconds must be a number, not '2'"),
    "seconds nothing": (RETURNS, "seconds:", 7, "seconds must be a number, not None"),
    "guards a word": (RETURNS, "guards: a-bug", 7, "guards must be a list of words"),
    "guards numbers": (RETURNS, "guards: [a-bug, 3]", 7, "3 is no word"),
    "guards nothing": (RETURNS, "guards:", 7, "guards must be a list of words"),
    "first a request": (RETURNS, "first: {op: grad}", 7, "first must be a list of requests"),
    "first a word": (RETURNS, "first:\n   - grad", 7, "may give op, inputs, steps and output"),
    "first too much": (RETURNS, "first: [{op: grad, why: x}]", 7, "may give op, inputs, steps"),
    "first repeat": (RETURNS, "first:\n   - steps: [{repeat: 1}]", 8, "repeat takes {times: N"),
    "times": ("steps: []", REPEAT.format(0, "h"), 5, "times must be a whole number above 0"),
    "result": ("steps: []", REPEAT.format(1, "[h]"), 5, "result must be a carry"),
    "no YAML": ("inputs: {x: [[1.0]]}", "inputs: {x: [[1.0]", 5, "is not valid YAML"),
    "no number": ("[[1.0]]}\n  steps", "[[01]]}\n  steps", 4, "is no number as JSON writes it"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_case_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    old, new, line, said = WRONG[name]
    assert PLAIN.count(old) == 1
    text = error(file(tmp_path, PLAIN.replace(old, new)))
    assert text.startswith(f"{line}: ")
    assert said in text


def test_the_line_is_that_of_the_case_that_is_wrong(tmp_path: Path) -> None:
    second = PLAIN.replace("first_one", "second_one").replace("x: [[1.0]]", "x: [[.5]]")
    assert error(file(tmp_path, PLAIN + "\n" + second)).startswith("12: .5 is no number")


def test_a_name_given_twice_is_an_error_with_the_line_of_both(tmp_path: Path) -> None:
    said = error(file(tmp_path, PLAIN + "\n" + PLAIN))
    assert said == "9: the case first_one is already on line 1; names are unique"


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "case: first_one\n", "just words\n"], ids=lambda text: text[:6]
)
def test_what_is_no_list_of_cases_says_how_one_begins(text: str, tmp_path: Path) -> None:
    said = error(file(tmp_path, text))
    assert said == "1: must be a list of cases, each beginning with `- case: name`"


@pytest.mark.parametrize("item", ["- first_one\n", "- [case, x]\n", "-\n", "- {}\n"])
def test_an_item_that_is_no_case_says_how_one_begins(item: str, tmp_path: Path) -> None:
    assert "must begin with `- case: name`" in error(file(tmp_path, PLAIN + item))


@pytest.mark.parametrize(
    "path",
    ["fixtures/tiny/elsewhere/stage1/x.yaml", "fixtures/tiny/visible/x.yaml", "x.yaml"],
)
def test_a_file_in_the_wrong_place_says_where_it_should_be(path: str, tmp_path: Path) -> None:
    said = error(file(tmp_path, PLAIN, Path(path)))
    assert said == "1: the path must be <exercise>/visible|hidden|twists/<stage>/<topic>.yaml"


# --- names without parsing -----------------------------------------------------------------------


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: "/".join(path.parts[-4:]))
def test_the_names_found_without_parsing_are_those_of_the_cases(path: Path) -> None:
    assert names_in(path) == [(case.name, case.line) for case in read_cases(path)]


@pytest.mark.parametrize("change", ["\n", "\r\n"], ids=["lines", "carriage returns"])
@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "byte order mark"])
def test_names_are_found_however_the_file_was_saved(
    start: str, change: str, tmp_path: Path
) -> None:
    path = file(tmp_path, "")
    path.write_bytes((start + FULL.replace("\n", change)).encode())
    found = [("first_one", 3), ("second_one", 16), ("third_one", 24)]
    assert names_in(path) == found
    assert [(case.name, case.line) for case in read_cases(path)] == found


@pytest.mark.parametrize(
    "second",
    [
        PLAIN.replace("first_one", "'second_one'"),
        PLAIN.replace("first_one", "second_one\t"),
        PLAIN.replace("case: first_one", "case : second_one"),
        PLAIN.replace("  ", "   ").replace("- case: first_one", "-  case: second_one"),
        PLAIN.replace("- case: first_one", "-\n  case: second_one"),
        f"- {{{', '.join(PLAIN.replace('first', 'second')[2:].splitlines())}}}\n",
        PLAIN.replace("first_one", "second_one").replace(
            "a case must be", '"x\n- case: third\n  "'
        ),
    ],
    ids=["quoted", "tab", "space", "spaces", "next line", "flow", "text"],
)
def test_a_case_that_would_not_be_found_without_parsing_is_refused(
    second: str, tmp_path: Path
) -> None:
    """Or else it would never be run by pytest, and nobody would notice."""
    path = file(tmp_path, PLAIN + second)
    try:
        cases: list[Any] = [(case.name, case.line) for case in read_cases(path)]
    except FixtureError as refused:
        assert str(refused).startswith(f"{path}:")  # noqa: PT017
    else:
        assert names_in(path) == cases


def test_what_is_no_utf8_is_an_error_with_its_line_before_any_parsing(tmp_path: Path) -> None:
    path = file(tmp_path, "")
    path.write_bytes(PLAIN.encode().replace(b"must be", b"must b\xe9"))
    with pytest.raises(FixtureError, match=r":2: is not UTF-8 text; save the file as UTF-8$"):
        names_in(path)
