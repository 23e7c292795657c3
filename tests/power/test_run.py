"""Tests nobody trusts, run on engines: each has its own answer, and harms no engine but its own."""

from unittest.mock import ANY

import pytest

from grader.bugs import apply, base_source, catalogue
from grader.power.engines import correct_engines
from grader.power.results import Result, Run, run_all
from grader.power.run import Ask, Runner
from grader.power.suite import Suite
from grader.sandbox import Backend, WorkerFault
from tests.power.conftest import MEMORY, With
from tests.power.suites import (
    BAD,
    FATAL,
    GOOD,
    HARMFUL,
    HEAD,
    MEAN,
    ORDINARY,
    OWN,
    TANH,
    UNREADABLE,
)

REFERENCE = correct_engines("tiny")["the reference"]
MEAN_IS_WRONG = apply([catalogue("tiny")["mean-rows-only"]], base_source("tiny"))
HASTY = Ask(0.3)  # for what never ends
PATIENT = Ask(30.0)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.power.run.GRACE_SECONDS", 1.0)


def statuses(runner: Runner, source: str, ask: Ask = PATIENT) -> dict[str, str]:
    found = run_all(runner, source, ask)
    assert found.unread == {}
    return {test: result.status for test, result in found.results.items()}


def test_a_test_passes_on_one_engine_and_fails_on_another(runner_with: With) -> None:
    runner = runner_with({OWN: GOOD})
    assert statuses(runner, REFERENCE) == {TANH: "passed", MEAN: "passed"}
    assert statuses(runner, MEAN_IS_WRONG) == {TANH: "passed", MEAN: "failed"}
    assert statuses(runner, REFERENCE) == {TANH: "passed", MEAN: "passed"}


@pytest.mark.parametrize(
    ("ask", "order"),
    [
        (Ask(30.0), [TANH, MEAN]),
        (Ask(30.0, reverse=True), [MEAN, TANH]),
        (Ask(30.0, only=(MEAN, "tests/no.py::test_no")), [MEAN]),
        (Ask(30.0, only=()), []),
        (Ask(30.0, without=(MEAN,)), [TANH]),
        (Ask(30.0, ignore=(OWN,)), []),
    ],
)
def test_tests_are_run_in_the_order_asked_for(
    runner_with: With, ask: Ask, order: list[str]
) -> None:
    assert list(statuses(runner_with({OWN: GOOD}), REFERENCE, ask)) == order


def file_of(name: str) -> str:
    return f"tests/test_{name.replace(' ', '_')}.py"


@pytest.fixture(scope="module")
def ordinary(runner: Runner) -> Run:
    """What became of all ordinary misuses, each in a file of its own."""
    files = {file_of(name): HEAD + source for name, (source, _) in ORDINARY.items()}
    runner.suite = Suite({**files, OWN: GOOD}, ())
    return run_all(runner, REFERENCE, Ask(0.6))


@pytest.mark.parametrize("name", ORDINARY)
def test_a_misuse_has_its_own_answer(ordinary: Run, name: str) -> None:
    _, (status, why) = ORDINARY[name]
    result = ordinary.results[f"{file_of(name)}::test_bad"]
    why = why.replace(BAD, file_of(name))
    assert (result.status, result.why[: len(why)]) == (status, why)


def test_a_misuse_harms_no_other_test(ordinary: Run) -> None:
    assert ordinary.results[TANH].status == ordinary.results[MEAN].status == "passed"
    assert len(ordinary.results) == len(ORDINARY) + 2
    assert ordinary.unread == {}


@pytest.mark.parametrize("name", FATAL)
def test_what_ends_the_process_of_all_has_its_own_answer_and_the_others_are_run(
    runner_with: With, name: str
) -> None:
    source, (status, why) = FATAL[name]
    run = run_all(runner_with({BAD: HEAD + source, OWN: GOOD}), REFERENCE, HASTY)
    assert run.results.pop(f"{BAD}::test_bad") == Result(status, why, ANY)
    assert [result.status for result in run.results.values()] == ["passed", "passed"]


@pytest.mark.parametrize("name", HARMFUL)
def test_what_is_meant_for_the_engines_to_come_does_not_reach_them(
    runner_with: With, name: str
) -> None:
    source, (status, why) = HARMFUL[name]
    run = run_all(runner_with({BAD: HEAD + source, OWN: GOOD}), REFERENCE, PATIENT)
    assert run.results.pop(f"{BAD}::test_bad") == Result(status, why, ANY)
    assert [result.status for result in run.results.values()] == ["passed", "passed"]
    after = runner_with({OWN: GOOD})
    assert statuses(after, MEAN_IS_WRONG) == {TANH: "passed", MEAN: "failed"}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_says_why_and_others_are_run(
    runner_with: With, name: str
) -> None:
    files, whys = UNREADABLE[name]
    found = run_all(runner_with({**files, OWN: GOOD}), REFERENCE, HASTY)
    assert {file: why[: len(whys[file])] for file, why in found.unread.items()} == whys
    assert found.results.keys() == {TANH, MEAN}


def test_a_conftest_that_cannot_be_read_leaves_no_test(runner_with: With) -> None:
    files = {"tests/conftest.py": "raise OSError('broken')\n", OWN: GOOD}
    found = run_all(runner_with(files), REFERENCE, HASTY)
    assert found.unread == {"tests/conftest.py": "OSError: broken"}
    assert found.results == {}


def test_what_pytest_offers_is_there(runner_with: With) -> None:
    """A conftest.py, parameters, folders, files and modules beside, and a kit's own plugin."""
    files = {
        "candidate/more.py": "THREE = 3\n",
        "tests/conftest.py": "import pytest\n@pytest.fixture\ndef two(): return 2\n",
        "tests/data.txt": "4",
        "tests/below/test_own.py": f"""{HEAD}
from candidate.more import THREE

class TestAll:
    @pytest.mark.parametrize("n", [THREE, 3.0])
    def test_of(self, n, two, tmp_path, capsys, monkeypatch):
        print(n)
        assert capsys.readouterr().out == f"{{n}}\\n"
        (tmp_path / "file").write_text("x")
        assert two + open("tests/data.txt").read().count("4") == n

@pytest.mark.timeout(0.1)
def test_slow():
    time.sleep(30)
""",
    }
    found = run_all(runner_with(files), REFERENCE, Ask(30.0))
    at = "tests/below/test_own.py"
    assert {test: result.status for test, result in found.results.items()} == {
        f"{at}::TestAll::test_of[3]": "passed",
        f"{at}::TestAll::test_of[3.0]": "passed",
        f"{at}::test_slow": "failed",
    }
    assert "Timeout" in found.results[f"{at}::test_slow"].why


def test_draws_are_the_same_for_every_engine_and_others_in_the_other_order(
    runner_with: With,
) -> None:
    source = """
import random
from hypothesis import given, strategies as st
drawn = []

@given(st.integers(0, 10**9))
def test_hypothesis(n):
    drawn.append(n)

def test_told():
    raise OSError(f"{sum(drawn)} {random.random()}")
"""
    runner = runner_with({"tests/test_own.py": source})
    whys = [
        run_all(runner, engine, Ask(60.0, reverse=reverse)).results[f"{OWN}::test_told"].why
        for engine, reverse in ((REFERENCE, False), (MEAN_IS_WRONG, False), (REFERENCE, True))
    ]
    assert "OSError: " in whys[0]
    assert whys[0] == whys[1] != whys[2]


def test_only_the_engine_is_there_and_nothing_of_the_project(runner_with: With) -> None:
    source = """
import os
def test_all():
    found = sorted(os.path.join(at, name) for at, _, names in os.walk(".") for name in names)
    assert found == ["./candidate/tiny.py", "./tests/test_own.py"]
    assert set(os.environ) - {"LC_CTYPE", "PWD"} == {
        "HOME", "OMP_NUM_THREADS", "PYTEST_CURRENT_TEST", "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
        "PYTEST_VERSION", "TMPDIR"
    }
"""
    found = run_all(runner_with({OWN: source}), REFERENCE, Ask(30.0))
    (result,) = found.results.values()
    assert result.why == ""


def test_no_process_of_a_test_outlives_its_engine_in_a_sandbox(runner_with: With) -> None:
    """One that has left its group goes on to break each engine that comes after."""
    source = f"""{HEAD}
def test_bad():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 64)
            while True:
                try:
                    open("candidate/tiny.py", "w").write("raise OSError")
                except OSError:
                    pass
        os._exit(0)
"""
    runner = runner_with({BAD: source})
    if runner.backend.name != "bwrap":
        pytest.skip("a plain process does not end what has left its group, and its grade says so")
    assert statuses(runner, REFERENCE) == {f"{BAD}::test_bad": "passed"}
    after = runner_with({OWN: GOOD})
    for _ in range(3):
        assert statuses(after, MEAN_IS_WRONG) == {TANH: "passed", MEAN: "failed"}


def test_a_runner_that_does_not_start_is_our_fault(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.power.run.FOR_TESTS", ())
    with Runner(Suite({}, ()), "tiny", backend, MEMORY, ("no_such_module",)) as runner:
        runner.packages = []
        with pytest.raises(WorkerFault, match=r"runner did not start: \w+ cannot be imported"):
            runner.run(REFERENCE, HASTY)
