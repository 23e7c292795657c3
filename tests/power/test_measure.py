"""What tests are worth: caught only by an ordinary failure of a test that right engines pass."""

from typing import Any

import pytest

from grader.bugs import catalogue
from grader.power.measure import Power, Result, measure, results_in, unread_in
from grader.power.run import Runner, Told
from grader.power.suite import Suite
from grader.sandbox import Backend
from tests.power.suites import GOOD, HEAD, MISUSED

MEMORY = 1 << 30
BUGS = [
    catalogue("tiny")[name]
    for name in ("tanh-from-input", "mean-rows-only", "negative-zero", "exponential-walk")
]


def measured(files: dict[str, str], backend: Backend, bugs: int = 3) -> Power:
    """With runners that end with the test."""
    made: list[Runner] = []

    def runner() -> Runner:
        made.append(Runner(Suite(files, ()), "tiny", backend, MEMORY, ()))
        return made[-1]

    try:
        return measure("tiny", BUGS[:bugs], runner, jobs=1)
    finally:
        for each in made:
            each.stop()


def test_a_bug_is_caught_by_the_tests_that_fail_on_it(backend: Backend) -> None:
    power = measured({"tests/test_own.py": GOOD}, backend)
    assert power.valid == (
        "tests/test_own.py::test_tanh",
        "tests/test_own.py::test_mean",
        "tests/test_own.py::test_value",
    )
    assert power.invalid == ()
    assert power.unread == ()
    assert power.catches == {
        "tanh-from-input": "caught",
        "mean-rows-only": "caught",
        "negative-zero": "survived",
    }
    assert power.by["tanh-from-input"] == ("tests/test_own.py::test_tanh",)
    assert power.by["mean-rows-only"] == ("tests/test_own.py::test_mean",)
    assert (power.caught, power.share) == (2, 2 / 3)


def test_running_out_of_time_is_its_own_answer(backend: Backend) -> None:
    deep = f"""{HEAD}

def test_doubling():
    steps = [["h0", "add", "x", "x"]]
    steps += [[f"h{{n}}", "add", f"h{{n - 1}}", f"h{{n - 1}}"] for n in range(1, 60)]
    assert gradient(steps, [[1]], "h59") == [[2.0 ** 60]]
"""
    power = measured({"tests/test_own.py": deep}, backend, bugs=4)
    assert power.valid == ("tests/test_own.py::test_doubling",)
    assert power.catches["exponential-walk"] == "timed_out"
    assert power.catches["tanh-from-input"] == "survived"


@pytest.mark.parametrize("name", MISUSED)
def test_what_proves_nothing_catches_nothing(
    name: str, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong, unsteady, skipped or broken tests are no evidence, and each says why."""
    monkeypatch.setattr("grader.power.measure.FIRST_SECONDS", 1.0)
    source, why = MISUSED[name]
    power = measured({"tests/test_own.py": GOOD, "tests/test_bad.py": HEAD + source}, backend)
    assert not any(test.endswith(("::test_bad", "_second")) for test in power.valid)
    said = [f"{each.test} {each.why}" for each in (*power.invalid, *power.unread)]
    assert any(why in line for line in said), said
    if power.valid:
        assert power.catches["mean-rows-only"] == "caught"
        assert not any("test_bad.py" in test for tests in power.by.values() for test in tests)
    else:
        assert power.caught == 0


def test_a_suite_without_tests_has_none(backend: Backend) -> None:
    power = measured({"tests/test_own.py": "x = 1\n"}, backend)
    assert power.valid == ()
    assert power.invalid == ()
    assert power.unread == ()
    assert power.caught == 0


def test_each_engine_finds_the_files_as_they_were(backend: Backend) -> None:
    """What the tests do to their own folder lasts as long as their process."""
    source = f"""{GOOD}

def test_the_folder_is_whole():
    import os, shutil
    assert os.path.exists("tests/test_own.py") and not os.path.exists("left")
    open("left", "w").close()
    shutil.rmtree("tests")
"""
    power = measured({"tests/test_own.py": source}, backend)
    assert len(power.valid) == 4
    assert power.catches["tanh-from-input"] == "caught"


# --- what was told -------------------------------------------------------------------------------


def told(*lines: dict[str, Any], ended: str = "ended") -> Told:
    return Told(lines, ended)


def report(when: str, outcome: str, why: str = "") -> dict[str, object]:
    return {"test": "t", "when": when, "outcome": outcome, "why": why, "seconds": 0.5}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([report("call", "passed")], Result("passed", "", 0.5)),
        ([report("call", "failed", "no")], Result("failed", "no", 0.5)),
        ([report("setup", "failed", "no")], Result("error", "no", 0.5)),
        (
            [report("call", "passed"), report("teardown", "failed", "no")],
            Result("error", "no", 0.5),
        ),
        (
            [report("call", "failed", "a"), report("teardown", "failed", "b")],
            Result("failed", "a", 0.5),
        ),
        ([report("setup", "skipped")], Result("skipped", "it was skipped", 0.5)),
        ([report("call", "timed_out")], Result("timed_out", "it took too long", 0.5)),
        ([], Result("missing")),
        ([{"test": 3, "when": [], "outcome": {}, "why": None}], Result("missing")),
    ],
)
def test_what_a_test_tells_is_read(lines: list[dict[str, object]], expected: Result) -> None:
    assert results_in(told({"begun": "t"}, *lines)) == {"t": expected}


@pytest.mark.parametrize(("ended", "status"), [("late", "timed_out"), ("signal 11", "crashed")])
def test_the_test_that_was_running_when_the_process_ended(ended: str, status: str) -> None:
    passed = {**report("call", "passed"), "test": "a"}
    lines: list[dict[str, Any]] = [{"begun": "a"}, passed, {"begun": "b"}]
    results = results_in(told(*lines, ended=ended))
    assert (results["a"].status, results["b"].status) == ("passed", status)


def test_files_that_cannot_be_read_are_told() -> None:
    (unread,) = unread_in(told({"unread": "tests/a.py", "why": "SyntaxError"}, {"unread": 3}))
    assert (unread.test, unread.why) == ("tests/a.py", "SyntaxError")
