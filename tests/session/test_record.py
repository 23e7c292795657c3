"""A session's record: written, read, and each way it can be broken said in one line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.session.record import Record, SessionError, read_record, record_file, write_record

RECORD = Record(
    "tiny", 7, "buggy", 55, "relu", ("tanh-from-input",), {"candidate/tiny.py": "0" * 64}
)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    (tmp_path / "interviewer").mkdir()
    return tmp_path


def complaint(session: Path) -> str:
    with pytest.raises(SessionError) as caught:
        read_record(session)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_what_is_written_is_read_again(session: Path) -> None:
    for record in (RECORD, replace(RECORD, twist=None, bugs=(), start="skeleton")):
        write_record(session, record)
        assert read_record(session) == record


def test_a_folder_that_is_none_and_one_that_is_no_session(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert complaint(nowhere) == f"{nowhere}: there is no such folder; grader new makes a session"
    assert complaint(tmp_path).startswith(f"{tmp_path}: is no session, interviewer/session.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{\n  oops", "session.json:2: is no JSON ("),
        ("[]", "session.json: is no session's record"),
        ("{}", "session.json: has no 'version'"),
    ],
)
def test_a_broken_file_is_named(text: str, said: str, session: Path) -> None:
    record_file(session).write_text(text, encoding="utf-8")
    assert said in complaint(session)


def test_bytes_that_are_no_text_are_named(session: Path) -> None:
    record_file(session).write_bytes(b'{"a": "\xff"}')
    assert "session.json: is no JSON (it is not UTF-8 text)" in complaint(session)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("version", 2, "is of version 2; this grader reads 1, update"),
        ("version", "1", "'version' must be a whole number, not '1'"),
        ("exercise", "nothing", "there is no exercise 'nothing'; there is tensor, tiny"),
        ("seed", -1, "'seed' must be a whole number, not -1"),
        ("seed", True, "'seed' must be a whole number, not True"),
        ("start", "late", "'start' must be buggy or skeleton, not 'late'"),
        ("twist", 3, "'twist' must be a name or null, not 3"),
        ("bugs", "tanh", "'bugs' must be a list of names, not 'tanh'"),
        ("bugs", ["gone"], "the catalogue of tiny has no bug 'gone'"),
        ("files", [], "'files' must be an object of digests, not []"),
    ],
)
def test_a_wrong_value_is_named(key: str, value: Any, said: str, session: Path) -> None:
    write_record(session, RECORD)
    told = json.loads(record_file(session).read_text("utf-8"))
    record_file(session).write_text(json.dumps({**told, key: value}), encoding="utf-8")
    text = complaint(session)
    assert text.startswith(f"{record_file(session)}: ")
    assert said in text


@pytest.mark.parametrize("key", ["version", "exercise", "seed", "start", "twist", "bugs", "files"])
def test_a_missing_key_is_named(key: str, session: Path) -> None:
    write_record(session, RECORD)
    told = json.loads(record_file(session).read_text("utf-8"))
    del told[key]
    record_file(session).write_text(json.dumps(told), encoding="utf-8")
    assert f"has no '{key}'; take it from a backup" in complaint(session)
