"""What was told becomes results, whatever form it has; who ends the process of all goes alone."""

from typing import Any

import pytest

from grader.power.results import Result, Run, read, run_all
from grader.power.run import Ask, Told


def told(*lines: dict[str, Any], ended: str = "ended") -> Told:
    return Told(lines, ended)


def report(when: str, outcome: str, why: str = "", test: str = "t") -> dict[str, Any]:
    return {"test": test, "when": when, "outcome": outcome, "why": why, "seconds": 0.5}


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
        ([report("call", "failed", "a"), report("call", "passed")], Result("failed", "a", 0.5)),
        ([report("setup", "skipped")], Result("skipped", "it was skipped", 0.5)),
        ([report("call", "skipped", "x")], Result("skipped", "it was skipped: x", 0.5)),
        ([report("call", "timed_out")], Result("timed_out", "it took too long", 0.5)),
        ([report("call", "caught")], Result("error", "", 0.5)),
        ([report("call", "failed", "\x1b[2J\n")], Result("failed", "\\x1b[2J\\n", 0.5)),
        ([{**report("call", "passed"), "seconds": "9"}], Result("passed")),
        ([{**report("call", "passed"), "when": [], "outcome": {}}], Result("error", "", 0.5)),
    ],
)
def test_a_line_is_read(lines: list[dict[str, Any]], expected: Result) -> None:
    assert read(told({"begun": "t"}, *lines)) == Run({"t": expected})


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"test": 3, "when": "call", "outcome": "passed", "why": ""},
        {"test": "a", "when": "call", "outcome": "passed", "why": None},
        {"test": "a"},
        {"begun": None},
        {"unread": 3, "why": "no"},
        {"reading": []},
    ],
)
def test_a_line_of_no_known_form_is_none(line: dict[str, Any]) -> None:
    assert read(told(line)) == Run()


@pytest.mark.parametrize(
    ("ended", "status", "why"),
    [
        ("late", "timed_out", "it took too long"),
        ("SIGSEGV", "crashed", "the tests' process ended (SIGSEGV)"),
        ("exit code 0", "crashed", "the tests' process ended (exit code 0)"),
        ("ended", "crashed", "it stopped the run of all tests"),
    ],
)
def test_what_was_begun_and_never_ended_is_what_took_the_process_with_it(
    ended: str, status: Any, why: str
) -> None:
    lines = (
        {"reading": "f.py"},
        {"begun": "a"},
        report("call", "passed", test="a"),
        {"begun": "b"},
    )
    run = read(told(*lines, ended=ended))
    assert run.results == {"a": Result("passed", "", 0.5), "b": Result(status, why)}
    assert (run.unread, run.cut_short) == ({}, why)


def test_a_file_that_was_being_read_is_told_of() -> None:
    run = read(told({"reading": "a.py"}, {"reading": "b.py"}, ended="exit code 3"))
    why = "the tests' process ended (exit code 3)"
    assert run == Run({}, {"b.py": f"while it was read, {why}"}, why)


class Scripted:
    """Runs the tests a, b and c of file.py, of which some end the process of all."""

    def __init__(self, *fatal: str) -> None:
        self.fatal = fatal
        self.asks: list[Ask] = []

    def run(self, source: str, ask: Ask) -> Told:
        self.asks.append(ask)
        lines: list[dict[str, Any]] = []
        for test in "abc":
            if test not in ask.without:
                lines.append({"begun": test})
                if test in self.fatal:
                    return Told(tuple(lines), "late")
                lines.append(report("call", "passed", test=test))
        return Told(tuple(lines), "ended")


@pytest.mark.parametrize(
    ("fatal", "statuses", "starts"),
    [
        ("", ["passed", "passed", "passed"], 1),
        ("a", ["timed_out", "passed", "passed"], 2),
        ("c", ["passed", "passed", "timed_out"], 2),
        ("abc", ["timed_out", "timed_out", "timed_out"], 4),
    ],
)
def test_the_others_are_run_again_without_it(fatal: str, statuses: list[str], starts: int) -> None:
    runner = Scripted(*fatal)
    run = run_all(runner, "", Ask(1.0, reverse=True))
    assert [run.results[test].status for test in "abc"] == statuses
    assert len(runner.asks) == starts
    assert all(ask.reverse for ask in runner.asks)


def test_there_is_an_end_to_starting_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.power.results.MOST_STARTS", 2)
    run = run_all(Scripted("a", "b"), "", Ask(1.0))
    assert [result.status for result in run.results.values()] == ["timed_out", "timed_out"]
    assert run.cut_short == "it took too long"


def test_nobody_is_to_blame_where_the_runner_itself_is_lost() -> None:
    class Lost:
        def run(self, source: str, ask: Ask) -> Told:
            return Told((), "the runner was lost (Closed)")

    run = run_all(Lost(), "", Ask(1.0))
    assert run == Run({}, {}, "the tests' process ended (the runner was lost (Closed))")
