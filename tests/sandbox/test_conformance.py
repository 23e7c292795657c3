"""What every backend must do with engines of every kind: one suite for all of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.grade import Budget, run_cases
from grader.kit.case import Returns
from grader.kit.engine import Counts, Died, Ended, Frame, Raised, Returned
from grader.kit.worker import FRAME
from tests.cases import case
from tests.miniatures import ECHO, MINIATURES
from tests.sandbox.hosting import (
    BAD,
    GOOD,
    HANGING,
    HASTY,
    MIB,
    PATIENT,
    Host,
    all_gone,
    end_soon,
    moody,
    processes_naming,
    statuses,
    still_there,
    verdicts,
)

# What becomes of a case when the engine survives it, and the very same process goes on.
SURVIVED = {
    "always_equal": "wrong",
    "always_wrong": "wrong",
    "no_plain_data": "invalid_answer",
    "not_a_number": "wrong",
    "true_for_one": "wrong",
    "not_rounded": "wrong",
    "tuples": "passed",
    "prints": "passed",
    "remembers": "passed",
    "raises": "raised",
    "raises_value_error": "raised",
    "not_written": "not_attempted",
    "exits": "raised",
    "recurses": "raised",
    "nests_deeply": "invalid_answer",
    "huge_number": "wrong",
    "mutates": "wrong",
    "mutates_and_raises": "wrong",
    "hostile_message": "raised",
    "unprintable_error": "raised",
}
# What becomes of a case after which there must be a new process.
DEADLY = {
    "exits_at_once": {"crashed"},
    "kills_itself": {"crashed"},
    "segfaults": {"crashed"},
    "floods": {"too_much_output"},
    "forges_a_frame": {"invalid_answer"},
}
HANGS = {
    "hangs": {"timed_out"},
    "hangs_stubbornly": {"timed_out"},
    "sleeps": {"timed_out"},
    "ignores_signals": {"timed_out"},
    # Whether the pipe is seen to close depends on who else holds it.
    "closes_everything": {"timed_out", "crashed"},
}


# --- answers and exceptions ----------------------------------------------------------------------


@pytest.mark.parametrize("result", [[[1.0]], [[1, -2.5], [0.0, 1e-6]], [[1e300]], "text", None])
def test_an_answer_arrives_as_it_was_given(host: Host, result: object) -> None:
    engine = host(f"def autograd(request):\n    return {{'value': {result!r}}}\n")
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Returned)
    assert repr(outcome.result) == repr({"value": result})


@pytest.mark.parametrize("name", SURVIVED)
def test_a_trait_gets_its_verdict_and_the_same_process_the_next_case(host: Host, name: str) -> None:
    engine = host(moody(MINIATURES[name]))
    engine.start()
    worker = engine.worker
    assert statuses(engine, BAD, GOOD) == [SURVIVED[name], "passed"]
    assert engine.worker is worker


def test_an_exception_comes_with_the_engines_own_frames(host: Host) -> None:
    engine = host(
        "def autograd(request):\n    return inner(1)\n\n\ndef inner(x):\n    raise KeyError('y')\n"
    )
    name = engine.file.path.name
    outcome = engine.run(GOOD)
    assert isinstance(outcome, Raised)
    assert (outcome.kind, outcome.message) == ("KeyError", "'y'")
    assert outcome.frames == (
        Frame(name, 2, "autograd", "return inner(1)"),
        Frame(name, 6, "inner", "raise KeyError('y')"),
    )


def test_work_is_counted_and_the_same_process_asked_the_next_case(host: Host) -> None:
    engine = host(ECHO)
    engine.start()
    worker = engine.worker
    assert engine.counts([GOOD.request] * 2, 100, PATIENT) == Counts((3, 3))
    assert engine.counts([GOOD.request], 2, PATIENT) == Counts(ended="most")
    assert statuses(engine, GOOD) == ["passed"]
    assert engine.worker is worker


@pytest.mark.parametrize(
    ("name", "ended"),
    [
        ("sleeps", "late"),
        ("hangs_stubbornly", "late"),
        ("exits_at_once", "unknown"),
        ("forges_a_frame", "unknown"),
    ],
)
def test_what_cannot_be_counted_costs_no_other_verdict(host: Host, name: str, ended: Ended) -> None:
    engine = host(moody(MINIATURES[name]))
    seconds = HASTY if ended == "late" else PATIENT
    assert engine.counts([BAD.request], 1_000, seconds) == Counts(ended=ended)
    assert statuses(engine, GOOD) == ["passed"]


def test_what_is_printed_is_no_answer(host: Host) -> None:
    frame = FRAME.pack(2) + b"{}"
    source = f"import os\nfor standard in (0, 1, 2):\n    os.write(standard, {frame!r})\n"
    loud = f"def autograd(request):\n    print('20 passed', flush=True)\n    {source!r}\n"
    engine = host(source + moody(f"{loud}    return 1\n"))
    assert statuses(engine, BAD, GOOD) == ["wrong", "passed"]


@pytest.mark.parametrize("depth", [10, 100, 300, 600, 900])
def test_an_answer_nested_as_deeply_as_can_be_sent_costs_no_other_verdict(
    host: Host, depth: int
) -> None:
    nests = f"""
def autograd(request):
    value = []
    for _ in range({depth}):
        value = [value]
    return {{'value': value}}
"""
    engine = host(moody(nests))
    found = run_cases([BAD, GOOD], [engine], Budget.of(PATIENT))
    assert found[0].status in {"wrong", "invalid_answer"}
    assert found[1].status == "passed"


def test_state_does_not_outlive_a_case_and_is_kept_within_one(host: Host) -> None:
    engine = host(MINIATURES["remembers"])
    twice = replace(GOOD, first=(GOOD.request,), expects=Returns({"value": [[2.0]]}))
    assert statuses(engine, GOOD, twice, GOOD) == ["passed", "passed", "passed"]


def test_an_engine_in_a_folder_has_the_modules_beside_it(host: Host, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("ONE = [[1.0]]\n", encoding="utf-8")
    source = "import beside\n\n\ndef autograd(request):\n    return {'value': beside.ONE}\n"
    assert statuses(host(source, stands_alone=False), GOOD) == ["passed"]


# --- deaths, hangs and floods --------------------------------------------------------------------


@pytest.mark.parametrize("name", DEADLY)
def test_a_new_process_follows_one_that_died(host: Host, name: str) -> None:
    engine = host(moody(MINIATURES[name]))
    for _ in range(2):
        first, second = statuses(engine, BAD, GOOD)
        assert first in DEADLY[name]
        assert second == "passed"


@pytest.mark.parametrize("name", HANGS)
def test_a_new_process_follows_one_that_gave_no_answer_in_time(host: Host, name: str) -> None:
    engine = host(moody(MINIATURES[name]))
    first, second = statuses(engine, HANGING, GOOD)
    assert first in HANGS[name]
    assert second == "passed"


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("exits_at_once", "exit code 0"),
        ("kills_itself", "SIGKILL"),
        ("segfaults", "SIGSEGV"),
    ],
)
def test_a_death_is_told_in_words(host: Host, name: str, how: str) -> None:
    outcome = host(MINIATURES[name]).run(GOOD)
    assert isinstance(outcome, Died)
    assert how in outcome.how


def test_eating_memory_ends_at_the_limit(host: Host) -> None:
    engine = host(moody(MINIATURES["eats_memory"]), 200 * MIB)
    first, second = statuses(engine, BAD, GOOD)
    assert first in {"out_of_memory", "crashed"}
    assert second == "passed"


@pytest.mark.parametrize(("memory", "status"), [(200, "out_of_memory"), (1024, "passed")])
def test_an_engine_has_the_memory_it_was_given_and_no_more(
    host: Host, memory: int, status: str
) -> None:
    wants = (
        "def autograd(request):\n    return {'value': [[1.0 + 0 * len(bytearray(300 << 20))]]}\n"
    )
    assert statuses(host(wants, memory * MIB), GOOD) == [status]


def test_every_case_gets_a_verdict_in_order_whatever_dies(host: Host) -> None:
    source = moody(MINIATURES["exits_at_once"])
    found = run_cases([BAD, GOOD] * 6, [host(source), host(source)], Budget.of(PATIENT))
    assert [verdict.status for verdict in found] == ["crashed", "passed"] * 6


# --- requests ------------------------------------------------------------------------------------


def test_a_request_of_20_000_steps_gets_through(host: Host) -> None:
    deep = case(steps=[[f"s{n}", "tanh", "x"] for n in range(20_000)], seconds=PATIENT)
    assert len(json.dumps(deep.request)) > 4 << 16, "no longer than a pipe's buffer"
    counts = "def autograd(request):\n    return {'value': [[float(len(request['steps']))]]}\n"
    twenty_thousand = replace(deep, expects=Returns({"value": [[20_000.0]]}))
    assert statuses(host(counts), twenty_thousand, GOOD) == ["passed", "wrong"]


def test_an_engine_that_reads_nothing_is_late(host: Host) -> None:
    """It says itself that it is ready, and then sleeps; the pipe to it fills up."""
    ready = sent_to_every_descriptor(b'{"engine": ""}')
    engine = host(f"{ready}\nimport time\ntime.sleep(60)\n")
    deep = case(steps=[[f"s{n}", "tanh", "x"] for n in range(20_000)], seconds=HANGING.seconds)
    assert statuses(engine, deep, HANGING) == ["timed_out", "timed_out"]


# --- forged frames -------------------------------------------------------------------------------


def sent_to_every_descriptor(body: bytes) -> str:
    frame = FRAME.pack(len(body))
    return f"""
import os
for descriptor in range(3, 16):
    try:
        os.write(descriptor, {frame!r} + {body!r})
    except OSError:
        pass
"""


# Finds the loop that asks it, and answers in its place with what the case wants.
TAKES_THE_WORD = """
import json, struct, sys

def autograd(request):
    frame = sys._getframe()
    while 'answers' not in frame.f_locals or 'frame' not in frame.f_locals:
        frame = frame.f_back
    answers, asked = frame.f_locals['answers'], frame.f_locals['frame']
    for value in ([[4.0]], [[1.0]], [[1.0]]):
        answer = {'id': asked['id'], 'answer': {'returned': {'value': value}}}
        body = json.dumps(answer).encode()
        answers.write(struct.pack('>I', len(body)) + body)
    answers.flush()
    return {'value': [[1.0]]}
"""


def test_a_forged_frame_earns_nothing(host: Host) -> None:
    """Forged as right, given as wrong."""
    forges = MINIATURES["forges_a_frame"].replace("return {'value': [[1.0]]}", "return {}")
    assert forges != MINIATURES["forges_a_frame"]
    first, second = statuses(host(moody(forges)), BAD, GOOD)
    assert first != "passed"
    assert second == "passed"


def test_of_many_frames_the_first_is_the_answer_and_none_is_left_for_the_next_case(
    host: Host,
) -> None:
    engine = host(moody(TAKES_THE_WORD))
    not_one = replace(GOOD, request={**GOOD.request, "inputs": {"x": [[3.0]]}})
    assert statuses(engine, BAD, not_one, GOOD) == ["wrong", "wrong", "passed"]


@pytest.mark.parametrize(
    "answer",
    [
        b"[]",
        b"null",
        b"not JSON",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"id": null, "answer": {"returned": {"value": [[1.0]]}}}',
        b'{"answer": {"returned": {"value": [[1.0]]}}}',
    ],
    ids=lambda answer: repr(answer[:12]),
)
def test_a_frame_that_is_no_answer_is_an_invalid_one(host: Host, answer: bytes) -> None:
    sends = sent_to_every_descriptor(answer).replace("\n", "\n    ")
    engine = host(moody(f"def autograd(request):\n    {sends}\n    return {{'value': [[1.0]]}}\n"))
    assert statuses(engine, BAD, GOOD) == ["invalid_answer", "passed"]


# --- what is left behind -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["echoes", "hangs", "ignores_signals", "closes_everything"])
def test_no_process_is_left_after_stopping(host: Host, name: str) -> None:
    engine = host(moody(MINIATURES[name]))
    assert verdicts(engine, GOOD)[0].status == "passed"
    assert engine.worker is not None
    pids = {engine.worker.process.pid, *processes_naming(engine.file.path.name)}
    assert still_there(pids) == pids
    verdicts(engine, HANGING)
    engine.stop()
    assert end_soon(pids)
    assert all_gone(engine.file.path.name)


@pytest.mark.parametrize("stands_alone", [True, False])
def test_no_file_is_left_beside_an_engine_or_among_temporary_files(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, stands_alone: bool
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "beside.py").write_text("ONE = [[1.0]]\n", encoding="utf-8")
    engine = host(ECHO if stands_alone else f"import beside\n{ECHO}", stands_alone=stands_alone)
    before = sorted(tmp_path.rglob("*"))
    assert verdicts(engine, GOOD)[0].status == "passed"
    engine.stop()
    assert sorted(tmp_path.rglob("*")) == before


def test_stopping_twice_or_before_the_start_is_no_harm(host: Host) -> None:
    engine = host(ECHO)
    engine.stop()
    assert statuses(engine, GOOD) == ["passed"]
    engine.stop()
    engine.stop()
    assert statuses(engine, GOOD) == ["passed"]
