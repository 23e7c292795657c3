"""The table of verdicts: what an outcome is worth, given what was expected."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit.case import Case, Raises, Returns
from grader.kit.engine import (
    ChangedRequest,
    Died,
    Faulted,
    Frame,
    InvalidAnswer,
    NotAttempted,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    TooMuchOutput,
    TooMuchWork,
)
from grader.kit.judge import MIB, MOST_MESSAGE, judge, place_of
from grader.kit.worker import printable
from tests.cases import case
from tests.kit.values import json_values, results

NAN, INF = math.nan, math.inf
VALUE = case(expects=Returns({"value": [[1.0, 2.0]]}))
GRAD = case(op="grad", expects=Returns({"value": 1.0, "grads": {"a": [[1.0, 2.0]], "b": [[0.0]]}}))
CHECK = case(op="gradcheck", expects=Returns({"passed": True, "errors": {"a": 0.0}}))
SHAPE = case(expects=Raises("shape"))


def returned(result: Any) -> Returned:
    return Returned(result, 0.01)


def raised(kind: str, message: str = "", *places: tuple[str, int]) -> Raised:
    frames = tuple(Frame(file, line, "autograd", "raise") for file, line in places)
    return Raised(kind, message, frames, 0.01)


def judged(asked: Case, outcome: Outcome) -> tuple[str, str]:
    verdict = judge(asked, outcome)
    assert (verdict.case, verdict.outcome) == (asked, outcome)
    return verdict.status, verdict.message


# --- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "result"),
    [
        (VALUE, {"value": [[1.0, 2.0]]}),
        (VALUE, {"value": [[1, 2]]}),
        (VALUE, {"value": [[1.000001, 1.999999]]}),
        (GRAD, {"grads": {"b": [[-0.0]], "a": [[1.0, 2.0]]}, "value": 1}),
        (CHECK, {"passed": True, "errors": {"a": 0}}),
    ],
)
def test_a_result_that_is_right_has_passed_without_a_word(asked: Case, result: Any) -> None:
    assert judged(asked, returned(result)) == ("passed", "")
    assert judge(asked, returned(result)).differences == ()


@pytest.mark.parametrize(
    ("asked", "result", "message"),
    [
        (VALUE, {"value": [[1.0, NAN]]}, "value[0][1] should be 2.0, not nan"),
        (
            VALUE,
            {"value": [[1.0, INF]]},
            "value[0][1] should be 2.0, not a number beyond all bounds",
        ),
        (
            VALUE,
            {"value": [[True, 2.0]]},
            "value[0][0] should be the number 1.0, not true or false",
        ),
        (
            VALUE,
            {"value": [[1.0000001, 2.0]]},
            "value[0][0] should be rounded to 6 decimals, not 1.0000001",
        ),
        (VALUE, {"value": [["1.0", 2.0]]}, "value[0][0] should be the number 1.0, not text"),
        (VALUE, {"value": 1.0}, "value should be 1 by 2, not a number"),
        (VALUE, {"value": [[1.0], [2.0]]}, "value should be 1 by 2, not 2 by 1"),
        (
            VALUE,
            {"value": [[1.0, 2.0], [3.0]]},
            "value should be 1 by 2, not a list of uneven rows",
        ),
        (VALUE, {"value": []}, "value should be 1 by 2, not a list of 0"),
        (VALUE, {"value": None}, "value should be 1 by 2, not None"),
        (VALUE, {}, "value is missing"),
        (VALUE, [[1.0, 2.0]], "the result should be a mapping, not 1 by 2"),
        (VALUE, None, "the result should be a mapping, not None"),
        (VALUE, {"value": [[1.0, 2.0]], "time": 3}, "time should not be there"),
        (
            GRAD,
            {"value": 1.0, "grads": {"a": [[1.0, 2.0]]}},
            "gradient of b is missing",
        ),
        (
            GRAD,
            {"value": 1.0, "grads": {"a": [[1.0, 2.0]], "b": [[0.0]], "c": [[0.0]]}},
            "gradient of c should not be there",
        ),
        (GRAD, {"value": 1.0, "grads": []}, "grads should be a mapping, not a list of 0"),
        (
            GRAD,
            {"value": [[1.0]], "grads": {"a": [[1.0, 2.0]], "b": [[0.0]]}},
            "value should be the number 1.0, not 1 by 1",
        ),
        (
            GRAD,
            {"value": 2.0, "grads": {"a": [[1.0, 2.5]], "b": [[4.0]]}},
            "value should be 1.0, not 2.0; also gradient of a, gradient of b",
        ),
        (
            GRAD,
            {"value": 1.0, "grads": {"a": [[3.0, 4.0]], "b": [[4.0]]}},
            "gradient of a[0][0] should be 1.0, not 3.0 (and 1 more of 2 entries);"
            " also gradient of b",
        ),
        (CHECK, {"passed": False, "errors": {"a": 0.0}}, "passed should be True, not False"),
        (CHECK, {"passed": 1, "errors": {"a": 0.0}}, "passed should be True, not 1"),
        (CHECK, {"passed": True, "errors": {"a": 0.1}}, "error of a should be 0.0, not 0.1"),
    ],
)
def test_a_result_that_is_wrong_is_said_to_be_so_by_its_first_difference(
    asked: Case, result: Any, message: str
) -> None:
    assert judged(asked, returned(result)) == ("wrong", message)


def test_the_wrong_entries_of_a_value_are_counted_over_all_its_rows() -> None:
    asked = case(expects=Returns({"value": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}))
    answer = returned({"value": [[1.0, 2.5], [3.5, 4.0], [5.5, 6.0]]})
    message = "value[0][1] should be 2.0, not 2.5 (and 2 more of 6 entries)"
    assert judged(asked, answer) == ("wrong", message)


def test_every_difference_is_kept_for_the_report() -> None:
    answer = returned({"value": 1.0, "grads": {"a": [[9.0, 9.0]], "b": [[9.0]]}})
    places = [difference.where for difference in judge(GRAD, answer).differences]
    assert places == [("grads", "a", 0, 0), ("grads", "a", 0, 1), ("grads", "b", 0, 0)]


def test_a_result_where_an_error_is_expected_is_wrong() -> None:
    message = "returned a result, expected a ValueError with 'shape' in it"
    assert judged(SHAPE, returned({"value": [[1.0]]})) == ("wrong", message)


def test_a_case_that_has_not_been_filled_in_is_the_graders_own_fault() -> None:
    unfilled = replace(VALUE, expects=None)
    status, message = judged(unfilled, returned({"value": [[1.0, 2.0]]}))
    assert status == "grader_fault"
    assert "no expected result yet" in message


# --- exceptions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["shape", "the shape 2 by 3 does not fit", "misshapen"])
def test_a_value_error_with_the_word_has_passed(message: str) -> None:
    assert judged(SHAPE, raised("ValueError", message)) == ("passed", "")


@pytest.mark.parametrize(
    ("asked", "outcome", "status", "message"),
    [
        (
            SHAPE,
            raised("ValueError", "Shape does not fit", ("tiny.py", 7)),
            "wrong",
            "expected 'shape' in the message of the ValueError, which says: Shape does not fit",
        ),
        (
            SHAPE,
            raised("ValueError"),
            "wrong",
            "expected 'shape' in the message of the ValueError, which says: nothing",
        ),
        (
            SHAPE,
            raised("KeyError", "'shape'", ("tiny.py", 7)),
            "raised",
            "KeyError: 'shape', expected a ValueError with 'shape' in it (tiny.py:7)",
        ),
        (
            SHAPE,
            raised("ShapeError", "shape"),
            "raised",
            "ShapeError: shape, expected a ValueError with 'shape' in it",
        ),
        (
            SHAPE,
            raised("RecursionError", "maximum recursion depth exceeded", ("tiny.py", 7)),
            "raised",
            "RecursionError: recursion goes deeper than Python allows,"
            " expected a ValueError with 'shape' in it",
        ),
        (VALUE, raised("ValueError", "shape"), "raised", "ValueError: shape"),
        (VALUE, raised("ValueError"), "raised", "ValueError"),
        (
            VALUE,
            raised("IndexError", "list index", ("tiny.py", 7), ("helper.py", 3)),
            "raised",
            "IndexError: list index (helper.py:3)",
        ),
        (
            VALUE,
            raised("RecursionError", "in comparison", ("tiny.py", 7)),
            "raised",
            "RecursionError: recursion goes deeper than Python allows",
        ),
        (VALUE, raised("SystemExit", "0"), "raised", "SystemExit: 0"),
        (
            VALUE,
            raised("NotImplementedError", "backward", ("tiny.py", 7)),
            "not_attempted",
            "NotImplementedError: backward (tiny.py:7)",
        ),
        (SHAPE, raised("NotImplementedError"), "not_attempted", "NotImplementedError"),
        (VALUE, raised("MemoryError"), "out_of_memory", "MemoryError"),
        (
            SHAPE,
            raised("MemoryError", "", ("tiny.py", 7)),
            "out_of_memory",
            "MemoryError (tiny.py:7)",
        ),
    ],
)
def test_any_other_exception_has_a_status_and_a_message(
    asked: Case, outcome: Raised, status: str, message: str
) -> None:
    assert judged(asked, outcome) == (status, message)


# --- memory --------------------------------------------------------------------------------------

LEAN = case(memory=24.0)
NOT_MEASURED = ("not_attempted", "memory cannot be measured on this system")


def looked_at(*mebibytes: float | None, value: float = 1.0) -> Returned:
    resident = tuple(None if amount is None else int(amount * MIB) for amount in mebibytes)
    return Returned({"value": [[value]]}, 0.01, resident)


@pytest.mark.parametrize(
    "looks",
    [(100, 100), (100, 124), (0, 24), (100, 90, 124, 80), (100, 10), (100, 110, 120)],
)
def test_a_process_may_grow_as_much_as_the_case_says(looks: tuple[float, ...]) -> None:
    assert judged(LEAN, looked_at(*looks)) == ("passed", "")


@pytest.mark.parametrize(
    ("looks", "growth"),
    [
        ((100, 125), "25"),
        ((100, 130.4, 100), "30"),
        ((100, 110, 120, 130), "30"),
        ((10, 0, 40), "30"),
        ((0, 5_000), "5000"),
    ],
)
def test_a_process_that_grows_more_at_any_later_look_is_wrong(
    looks: tuple[float, ...], growth: str
) -> None:
    message = f"memory grew by {growth} MiB, where at most 24 MiB should stay"
    assert judged(LEAN, looked_at(*looks)) == ("wrong", message)


@pytest.mark.parametrize("looks", [(), (100,), (None,), (None, 100), (100, None), (1, 2, None)])
def test_what_was_not_seen_twice_is_not_judged(looks: tuple[float | None, ...]) -> None:
    assert judged(LEAN, looked_at(*looks)) == NOT_MEASURED


@pytest.mark.parametrize("looks", [(), (100, 100), (100, 5_000)])
def test_a_wrong_result_is_wrong_whatever_was_seen(looks: tuple[float, ...]) -> None:
    message = "value[0][0] should be 1.0, not 2.0"
    assert judged(LEAN, looked_at(*looks, value=2.0)) == ("wrong", message)


@pytest.mark.parametrize("looks", [(), (100, 5_000), (None, None)])
def test_without_a_limit_nobody_looks(looks: tuple[float | None, ...]) -> None:
    assert judged(case(), looked_at(*looks)) == ("passed", "")


@given(st.lists(st.integers(0, 1 << 40), min_size=2), st.floats(0.5, 4096))
@settings(deadline=None, max_examples=100)
def test_only_the_first_look_and_the_largest_later_one_count(looks: list[int], most: float) -> None:
    first, *later = looks
    verdict = judge(case(memory=most), Returned({"value": [[1.0]]}, 0.01, tuple(looks)))
    assert (verdict.status == "passed") == ((max(later) - first) / MIB <= most)


# --- everything else -----------------------------------------------------------------------------


@pytest.mark.parametrize("expects", [Returns({"value": [[1.0]]}), Raises("shape")])
@pytest.mark.parametrize(
    ("outcome", "status", "message"),
    [
        (TimedOut(2.0), "timed_out", "no answer within 1.5 s"),
        (TooMuchWork("too slow: it is"), "timed_out", "too slow: it is"),
        (Died("killed by signal 9", 0.1), "crashed", "killed by signal 9"),
        (InvalidAnswer("a set is no plain data", 0.1), "invalid_answer", "a set is no plain data"),
        (TooMuchOutput(0.1), "too_much_output", "the answer is far too long"),
        (NotAttempted("the engine does not load"), "not_attempted", "the engine does not load"),
        (Faulted("no room on the disk"), "grader_fault", "no room on the disk"),
    ],
)
def test_what_is_no_answer_never_passes_whatever_is_expected(
    expects: Returns | Raises, outcome: Outcome, status: str, message: str
) -> None:
    assert judged(case(expects=expects, seconds=1.5), outcome) == (status, message)


@pytest.mark.parametrize("asked", [VALUE, SHAPE])
@pytest.mark.parametrize(
    ("after", "message"),
    [
        ({"inputs": {"x": [[1.0], [3.0]]}}, "request['inputs']['x'][1][0] was 2.0 and became 3.0"),
        (
            {"inputs": {"x": [[1.0]]}},
            "request['inputs']['x'] was [[1.0], [2.0]] and became [[1.0]]",
        ),
        ({"inputs": {}}, "request['inputs'] was {'x': [[1.0], [2.0]]} and became {}"),
        ({}, "request was {'inputs': {'x': [[1.0], [2.0]]}} and became {}"),
        ({"inputs": {"x": [[1.0], [2.0]]}}, "request is not what it was"),
    ],
)
def test_a_changed_argument_is_wrong_and_the_place_is_named(
    asked: Case, after: Any, message: str
) -> None:
    outcome = ChangedRequest({"inputs": {"x": [[1.0], [2.0]]}}, after, 0.1)
    assert judged(asked, outcome) == ("wrong", f"the engine changed its argument: {message}")


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ((), "the result"),
        (("value",), "value"),
        (("value", 0, 2), "value[0][2]"),
        (("grads",), "grads"),
        (("grads", "b"), "gradient of b"),
        (("grads", "b", 0, 1), "gradient of b[0][1]"),
        (("errors", "a"), "error of a"),
        (("passed",), "passed"),
    ],
)
def test_a_place_has_a_name_in_words(where: Any, place: str) -> None:
    assert place_of(where) == place


# --- messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"),
        ("\x1b[31mred\x07\x00", "\\x1b[31mred\\x07\\x00"),
        ("\u2028\u202e\x85", "\\u2028\\u202e\\x85"),
        ("\udc80", "\\udc80"),
        ("gr\u00fc\u00df dich", "gr\u00fc\u00df dich"),
        ('it\'s "quoted" \\n', 'it\'s "quoted" \\n'),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(text: str, line: str) -> None:
    assert printable(text) == line
    assert judged(VALUE, Died(text, 0.1)) == ("crashed", line)


def test_a_message_has_an_end() -> None:
    _, message = judged(VALUE, raised("ValueError", "x" * 10_000))
    assert message == f"ValueError: {'x' * (MOST_MESSAGE - 12)}"
    assert len(judged(SHAPE, raised("ValueError", "\n" * 10_000))[1]) == MOST_MESSAGE == 2_000


ANYTHING = json_values(st.floats())
FRAMES = st.builds(Frame, st.text(), st.integers(), st.text(), st.text())
OUTCOMES = st.one_of(
    st.builds(returned, ANYTHING),
    st.builds(Raised, st.text(min_size=1), st.text(), st.lists(FRAMES).map(tuple), st.just(0.1)),
    st.builds(ChangedRequest, ANYTHING, ANYTHING, st.just(0.1)),
    st.builds(Died, st.text(min_size=1), st.just(0.1)),
    st.builds(InvalidAnswer, st.text(min_size=1), st.just(0.1)),
)
EXPECTATIONS = st.one_of(results().map(Returns), st.sampled_from(["shape", "name"]).map(Raises))


@given(EXPECTATIONS, OUTCOMES)
@settings(deadline=None, max_examples=100)
def test_every_outcome_has_a_verdict_with_one_line_that_can_be_printed(
    expects: Returns | Raises, outcome: Outcome
) -> None:
    verdict = judge(case(expects=expects), outcome)
    assert verdict.message.isprintable()
    assert len(verdict.message) <= MOST_MESSAGE
    assert (verdict.status == "passed") == (verdict.message == "")


@given(results())
@settings(deadline=None, max_examples=50)
def test_what_is_expected_has_passed(result: dict[str, Any]) -> None:
    assert judged(case(expects=Returns(result)), returned(result)) == ("passed", "")


def test_an_error_of_the_engines_own_is_the_built_in_one_that_it_is_derived_from() -> None:
    def of(kind: str, *bases: str) -> Raised:
        return Raised(kind, "shape", (), 0.0, bases)

    assert judge(SHAPE, of("ShapeError", "ValueError", "Exception")).status == "passed"
    assert judge(SHAPE, of("ShapeError", "TypeError", "Exception")).status == "raised"
    assert judge(VALUE, of("Todo", "NotImplementedError")).status == "not_attempted"
    assert judge(VALUE, of("Full", "MemoryError")).status == "out_of_memory"
