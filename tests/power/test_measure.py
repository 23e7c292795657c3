"""What tests are worth: caught only by an ordinary failure of a test that right engines pass."""

from typing import Any

import pytest

from grader.bugs import apply, base_source, catalogue
from grader.power.engines import correct_engines
from grader.power.measure import FIRST_SECONDS, Invalid, Power, measure
from grader.power.run import Ask, Runner, Told
from grader.power.suite import Suite
from grader.sandbox import Backend, choose
from tests.power.conftest import MEMORY
from tests.power.suites import GOOD, HEAD, MEAN, OWN, TANH

BUGS = [
    catalogue("tiny")[name]
    for name in ("tanh-from-input", "mean-rows-only", "negative-zero", "exponential-walk")
]
REFERENCE, BASE = correct_engines("tiny").values()
ON_REFERENCE, ON_BASE = (f"on {name}: " for name in correct_engines("tiny"))


def engine_with(bug: str) -> str:
    return apply([catalogue("tiny")[bug]], base_source("tiny"))


# --- with tests whose outcomes are given ---------------------------------------------------------


class Scripted:
    """Tells for each test what `outcomes` has for it: passed, unless an engine is named there.

    An engine is named by its source; the second run of a right one by (source, True).
    """

    def __init__(self, outcomes: dict[str, dict[Any, str]]) -> None:
        self.outcomes = outcomes
        self.asked: list[tuple[str, Ask]] = []

    def run(self, source: str, ask: Ask) -> Told:
        self.asked.append((source, ask))
        lines: list[dict[str, Any]] = []
        for test, special in self.outcomes.items():
            if (ask.only is not None and test not in ask.only) or test in ask.without:
                continue
            outcome = special.get((source, ask.reverse), special.get(source, "passed"))
            if outcome == "absent":
                continue
            lines.append({"begun": test})
            if outcome == "crashed":
                return Told(tuple(lines), "SIGSEGV")
            when = "setup" if outcome == "error" else "call"
            outcome = "failed" if outcome == "error" else outcome
            why = "" if outcome == "passed" else f"why {test}"
            line = {"test": test, "when": when, "outcome": outcome, "why": why, "seconds": 0.3}
            lines.append(line)
        return Told(tuple(lines), "ended")


def worth(outcomes: dict[str, dict[Any, str]]) -> Power:
    return measure("tiny", BUGS[:1], lambda: Scripted(outcomes), jobs=2)


TANH_BUG = engine_with("tanh-from-input")


@pytest.mark.parametrize(
    ("outcomes", "catch", "by", "why"),
    [
        ({"a": {}}, "survived", (), ""),
        ({"a": {TANH_BUG: "failed"}}, "caught", ("a",), ""),
        ({"a": {TANH_BUG: "failed"}, "b": {}}, "caught", ("a",), ""),
        ({"a": {TANH_BUG: "failed"}, "b": {TANH_BUG: "failed"}}, "caught", ("a", "b"), ""),
        ({"a": {TANH_BUG: "crashed"}, "b": {TANH_BUG: "failed"}}, "caught", ("b",), ""),
        ({"a": {TANH_BUG: "timed_out"}, "b": {TANH_BUG: "failed"}}, "caught", ("b",), ""),
        ({"a": {TANH_BUG: "timed_out"}, "b": {}}, "timed_out", (), "it took too long"),
        (
            {"a": {TANH_BUG: "crashed"}, "b": {TANH_BUG: "error"}},
            "crashed",
            (),
            "the tests' process ended (SIGSEGV)",
        ),
        ({"a": {TANH_BUG: "error"}}, "not_run", (), "why a"),
        ({"a": {TANH_BUG: "absent"}}, "not_run", (), "a was not there"),
        ({"a": {TANH_BUG: "skipped"}}, "survived", (), ""),
        # An invalid test is no evidence, whatever it does.
        ({"a": {}, "b": {REFERENCE: "failed", TANH_BUG: "failed"}}, "survived", (), ""),
        ({"a": {}, "b": {BASE: "failed", TANH_BUG: "failed"}}, "survived", (), ""),
        ({"a": {}, "b": {(BASE, True): "failed", TANH_BUG: "failed"}}, "survived", (), ""),
        ({"a": {}, "b": {(BASE, True): "absent", TANH_BUG: "failed"}}, "survived", (), ""),
        ({"b": {REFERENCE: "failed", TANH_BUG: "failed"}}, "survived", (), ""),
    ],
)
def test_a_bug_is_caught_only_by_a_valid_test_that_fails(
    outcomes: dict[str, dict[Any, str]], catch: str, by: tuple[str, ...], why: str
) -> None:
    (fate,) = worth(outcomes).fates
    assert (fate.bug, fate.catch, fate.by, fate.why) == (BUGS[0], catch, by, why)


@pytest.mark.parametrize(
    ("special", "why"),
    [
        ({REFERENCE: "failed", BASE: "failed"}, ON_REFERENCE + "why b"),
        ({BASE: "failed"}, ON_BASE + "why b"),
        ({BASE: "error"}, ON_BASE + "why b"),
        ({BASE: "skipped"}, ON_BASE + "it was skipped: why b"),
        ({BASE: "timed_out"}, ON_BASE + "it took too long"),
        ({BASE: "crashed"}, ON_BASE + "the tests' process ended (SIGSEGV)"),
        ({BASE: "absent"}, ON_BASE + "it was not run each time"),
        ({(REFERENCE, True): "failed"}, ON_REFERENCE + "not steady, it passes and it fails: why b"),
        (
            {(REFERENCE, False): "failed"},
            ON_REFERENCE + "not steady, it passes and it fails: why b",
        ),
        ({(BASE, True): "crashed"}, ON_BASE + "not steady, it passes and it fails: the tests'"),
        ({(BASE, True): "absent"}, ON_BASE + "it was not run each time"),
    ],
)
def test_a_test_that_a_right_engine_does_not_always_pass_is_invalid_and_says_why(
    special: dict[Any, str], why: str
) -> None:
    power = worth({"a": {}, "b": special})
    assert power.valid == ("a",)
    (invalid,) = power.invalid
    assert (invalid.test, invalid.why[: len(why)]) == ("b", why)


def test_right_engines_are_run_before_all_others_and_after_them_in_the_other_order() -> None:
    """So that what tests remember, or count, does not tell them where they are."""
    runner = Scripted({"a": {}, "b": {BASE: "timed_out"}, "c": {REFERENCE: "failed"}})
    measure("tiny", BUGS, lambda: runner, jobs=1)
    first, last = Ask(FIRST_SECONDS), Ask(FIRST_SECONDS, reverse=True, only=("a", "c"))
    wrong = Ask(3.0, only=("a",))  # ten times the slowest test's 0.3 seconds
    assert runner.asked == [
        *((source, first) for source in (REFERENCE, BASE)),
        *((engine_with(bug.id), wrong) for bug in BUGS),
        *((source, last) for source in (REFERENCE, BASE)),
    ]


def test_without_a_test_that_passes_no_bug_is_tried() -> None:
    runner = Scripted({"a": {REFERENCE: "failed"}})
    power = measure("tiny", BUGS, lambda: runner, jobs=1)
    assert len(runner.asked) == 4
    assert [fate.catch for fate in power.fates] == ["survived"] * len(BUGS)
    assert (power.caught, power.share) == (0, 0.0)


def test_a_suite_without_tests_has_none() -> None:
    power = worth({})
    assert (power.valid, power.invalid, power.unread, power.caught) == ((), (), (), 0)


# --- with tests that are run ---------------------------------------------------------------------


def measured(files: dict[str, str], backend: Backend, bugs: list[Any]) -> Power:
    with Runner(Suite(files, ()), "tiny", backend, MEMORY, ()) as runner:
        # In this thread's sandbox: it would end with one of the measure's own.
        runner.run(REFERENCE, Ask(30.0))
        return measure("tiny", bugs, lambda: runner, jobs=1)


def test_a_bug_is_caught_by_the_tests_that_fail_on_it(backend: Backend) -> None:
    bad = f"{HEAD}\ndef test_bad():\n    assert gradient([['y', 'mean', 'x']], [[1, 2]]) == [[1]]\n"
    power = measured({OWN: GOOD, "tests/test_bad.py": bad}, backend, BUGS[:3])
    assert power.valid == (TANH, MEAN)
    why = "on the reference: tests/test_bad.py:11: assert [[0.5, 0.5]] == [[1]]"
    assert power.invalid == (Invalid("tests/test_bad.py::test_bad", why),)
    assert power.unread == ()
    assert [(fate.bug.id, fate.catch, fate.by) for fate in power.fates] == [
        ("tanh-from-input", "caught", (TANH,)),
        ("mean-rows-only", "caught", (MEAN,)),
        ("negative-zero", "survived", ()),
    ]
    assert (power.caught, power.share) == (2, 2 / 3)


def test_an_engine_that_hangs_runs_out_of_time_and_is_not_caught(backend: Backend) -> None:
    doubling = f"""{HEAD}
def test_doubling():
    steps = [["h0", "add", "x", "x"]]
    steps += [[f"h{{n}}", "add", f"h{{n - 1}}", f"h{{n - 1}}"] for n in range(1, 60)]
    assert gradient(steps, [[1]], "h59") == [[2.0 ** 60]]
"""
    power = measured({OWN: doubling}, backend, BUGS[3:])
    assert power.valid == (f"{OWN}::test_doubling",)
    assert [(fate.catch, fate.why) for fate in power.fates] == [("timed_out", "it took too long")]


STRONG = f"""{HEAD}
import itertools

MATRICES = [[[0.5]], [[1.5, -2.0]], [[0.25], [3.0], [-1.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, -6.0]]]
PAIRS = [(a, b) for a, b in itertools.product(MATRICES, repeat=2)
         if all(m == n or 1 in (m, n) for m, n in ((len(a), len(b)), (len(a[0]), len(b[0]))))]

def loss(operation, a, b, want="value"):
    steps = [["p", operation, "a", "b"], ["q", "tanh", "p"]]
    steps += [["r", "mul", "q", "p"], ["y", "sum", "r"]]
    request = {{"op": want, "inputs": {{"a": a, "b": b}}, "steps": steps, "output": "y"}}
    return tiny.autograd(request)

@pytest.mark.parametrize("operation", ["add", "sub", "mul"])
def test_gradients_are_slopes(operation):
    for a, b in PAIRS:
        check(operation, a, b)

def check(operation, a, b):
    grads = loss(operation, a, b, "grad")["grads"]
    for name, matrix in (("a", a), ("b", b)):
        assert [len(grads[name]), len(grads[name][0])] == [len(matrix), len(matrix[0])]
        for i, row in enumerate(matrix):
            for j, entry in enumerate(row):
                values = []
                for moved in (entry + 1e-3, entry - 1e-3):
                    other = [list(each) for each in matrix]
                    other[i][j] = moved
                    given = {{"a": a, "b": b, name: other}}
                    values.append(loss(operation, **given)["value"][0][0])
                slope = (values[0] - values[1]) / 2e-3
                assert grads[name][i][j] == pytest.approx(slope, abs=2e-2)
"""


def test_strong_tests_catch_every_bug_of_their_stage() -> None:
    """Slopes of every pair of shapes that stretch: all bugs of broadcasting show."""
    bugs = [bug for bug in catalogue("tiny").values() if bug.stage == "stage2"]
    power = measured({OWN: STRONG}, choose(), bugs)
    assert power.invalid == ()
    assert {fate.bug.id: fate.catch for fate in power.fates} == {bug.id: "caught" for bug in bugs}
