"""Talking in frames to a process that may do anything."""

import os
import sys
from collections.abc import Callable, Iterator

import pytest

from grader.kit.worker import FRAME
from grader.sandbox.live import MOST_ANSWER, Closed, Late, LiveWorker, Oversized, Started
from tests.sandbox.hosting import HASTY, PATIENT, all_gone, processes_naming

CHILD = """
import os, struct, subprocess, sys, time

def framed(body):
    return struct.pack('>I', len(body)) + body

def send(data):
    while data:
        data = data[os.write(1, data):]

def receive():
    length, = struct.unpack('>I', os.read(0, 4))
    body = b''
    while len(body) < length:
        body += os.read(0, length - len(body))
    return body
"""
MEBIBYTE = b"x" * (1 << 20)

Start = Callable[[str], LiveWorker]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a child that runs the given code; it is ended when the test is."""
    workers = []

    def started(code: str) -> LiveWorker:
        workers.append(LiveWorker(Started([sys.executable, "-I", "-S", "-c", CHILD + code])))
        return workers[-1]

    yield started
    for worker in workers:
        worker.kill()


@pytest.mark.parametrize("body", [b"{}", b"\x00" * 5, MEBIBYTE])
def test_a_frame_there_and_back(start: Start, body: bytes) -> None:
    worker = start("while True: send(framed(receive()))")
    for _ in range(2):
        assert worker.exchange(body, PATIENT) == body
    assert not worker.has_unasked()


def test_a_frame_of_nothing_is_a_frame(start: Start) -> None:
    assert start("send(framed(b'')); time.sleep(60)").exchange(b"", PATIENT) == b""


def test_a_frame_may_come_in_pieces(start: Start) -> None:
    worker = start(
        "for byte in framed(b'abcdef'):\n    send(bytes([byte]))\n    time.sleep(0.01)\n"
    )
    assert worker.exchange(b"", PATIENT) == b"abcdef"


def test_of_two_frames_in_one_write_the_second_was_not_asked_for(start: Start) -> None:
    worker = start("send(framed(b'one') + framed(b'two'))\ntime.sleep(60)\n")
    assert worker.exchange(b"", PATIENT) == b"one"
    assert worker.has_unasked()
    assert worker.exchange(b"", PATIENT) == b"two"
    assert not worker.has_unasked()


@pytest.mark.parametrize(
    "code",
    [
        "time.sleep(60)",
        "send(framed(b'abc')[:2]); time.sleep(60)",
        "send(framed(b'abc')[:6]); time.sleep(60)",
        "receive(); time.sleep(60)",
    ],
)
def test_no_whole_frame_in_time_is_late(start: Start, code: str) -> None:
    with pytest.raises(Late):
        start(code).exchange(b"{}", HASTY)


@pytest.mark.timeout(30)  # a write that waits for the child would wait for ever
@pytest.mark.parametrize("reads", ["", "os.read(0, 10_000)\n"])
def test_a_child_that_reads_little_or_nothing_does_not_hold_up_a_long_frame(
    start: Start, reads: str
) -> None:
    with pytest.raises(Late):
        start(f"{reads}while True: time.sleep(60)").exchange(MEBIBYTE, HASTY)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "sys.exit(3)",
        "send(framed(b'abc')[:6])",
        "os.close(1); time.sleep(60)",
        "os.close(0); os.close(1); time.sleep(60)",
    ],
)
@pytest.mark.parametrize("body", [b"", b"{}", MEBIBYTE], ids=len)
def test_a_child_at_its_end_has_closed_the_pipe(start: Start, code: str, body: bytes) -> None:
    with pytest.raises(Closed):
        start(code).exchange(body, PATIENT)


@pytest.mark.parametrize("body", [b"{}", MEBIBYTE], ids=len)
def test_a_child_that_will_read_no_more_has_closed_the_pipe(start: Start, body: bytes) -> None:
    worker = start("os.close(0); send(framed(b'up')); time.sleep(60)")
    assert worker.exchange(b"", PATIENT) == b"up"
    with pytest.raises(Closed):
        worker.exchange(body, PATIENT)


def test_a_child_that_is_gone_counts_as_one_that_spoke_unasked(start: Start) -> None:
    worker = start("send(framed(b'bye'))")
    assert worker.exchange(b"", PATIENT) == b"bye"
    worker.process.wait()
    assert worker.has_unasked()


@pytest.mark.parametrize("length", [MOST_ANSWER + 1, (1 << 32) - 1])
def test_a_frame_too_long_is_refused_by_its_header(start: Start, length: int) -> None:
    with pytest.raises(Oversized):
        start(f"send({FRAME.pack(length)!r}); time.sleep(60)").exchange(b"", PATIENT)


def test_the_longest_answer_is_taken_as_a_whole(start: Start) -> None:
    worker = start(f"send(framed(b'x' * {MOST_ANSWER})); time.sleep(60)")
    assert len(worker.exchange(b"", PATIENT)) == MOST_ANSWER


def test_a_child_inherits_no_environment(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_SECRET", "x")
    seen = start("send(framed(repr(list(os.environ)).encode()))").exchange(b"", PATIENT)
    assert seen in {b"[]", b"['LC_CTYPE']"}


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("sys.exit(3)", "exit code 3"),
        ("sys.exit(0)", "exit code 0"),
        ("sys.exit(137)", "SIGKILL"),
        ("os.kill(os.getpid(), 9)", "SIGKILL"),
        ("os.abort()", "SIGABRT"),
    ],
)
def test_how_it_ended_is_told_in_words(start: Start, code: str, how: str) -> None:
    worker = start(code)
    with pytest.raises(Closed):
        worker.exchange(b"", PATIENT)
    assert how in worker.how_it_ended()


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("sys.stderr.write('one\\ntwo\\n\\n')", "two"),
        ("os.write(2, b'\\xff!')", "\N{REPLACEMENT CHARACTER}!"),
        ("", "it said nothing"),
        ("os.write(2, b' \\n')", "it said nothing"),
    ],
)
def test_the_complaint_is_the_last_line_on_standard_error(
    start: Start, code: str, complaint: str
) -> None:
    worker = start(code)
    worker.process.wait()
    assert worker.complaint() == complaint


def test_a_child_that_is_silent_but_alive_has_no_complaint(start: Start) -> None:
    assert start("time.sleep(60)").complaint() == "it said nothing"


@pytest.mark.parametrize("then", ["time.sleep(60)", "os._exit(0)"])
def test_killing_ends_the_whole_group_and_closes_the_pipes(start: Start, then: str) -> None:
    """Also where the first of the group has ended by itself."""
    mark = f"marked_{os.getpid()}_{len(then)}"
    sleeps = f"import os, time; os.write(1, {FRAME.pack(2) + b'up'!r}); time.sleep(60)"
    worker = start(f"subprocess.Popen([sys.executable, '-c', {sleeps!r}, {mark!r}])\n{then}\n")
    assert worker.exchange(b"", PATIENT) == b"up"
    assert processes_naming(mark), "the test would see nothing"
    worker.kill()
    assert all_gone(mark)
    pipes = (worker.process.stdin, worker.process.stdout, worker.process.stderr)
    assert all(pipe is not None and pipe.closed for pipe in pipes)
    worker.kill()
