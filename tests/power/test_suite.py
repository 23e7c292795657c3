"""The tests are taken out of a hand-in: plain files, and a line for whatever is not there."""

from pathlib import Path

import pytest

from grader.handin.member import MOST_FILE
from grader.power.suite import PowerError, suite_in
from tests.handin.senders import as_zip


def put(file: Path, text: str | bytes = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_files_below_tests_are_taken_and_what_lies_beside_the_engine(tmp_path: Path) -> None:
    put(tmp_path / "tests" / "test_a.py", "\ufeffa = 1\n")
    put(tmp_path / "tests" / "deep" / "data.txt", "x")
    put(tmp_path / "tests" / "__pycache__" / "a.pyc", b"\xff")
    put(tmp_path / "conftest.py", "raise SystemExit")
    put(tmp_path / "candidate" / "tiny.py", "b = 2\n")
    put(tmp_path / "fixtures" / "tiny" / "a.yaml", "[]")
    suite = suite_in(tmp_path)
    assert suite.files == {
        "candidate/tiny.py": "b = 2\n",  # gives way to each engine that the tests are run on
        "tests/deep/data.txt": "x",
        "tests/test_a.py": "a = 1\n",
    }
    assert suite.notes == ()


def test_what_is_no_plain_file_is_left_out_and_said_so(tmp_path: Path) -> None:
    put(tmp_path / "tests" / "test_a.py")
    put(tmp_path / "tests" / "b.bin", b"\xff\xf8")
    put(tmp_path / "tests" / "big.txt", b"x" * (MOST_FILE + 1))
    (tmp_path / "tests" / "link.py").symlink_to("/etc/passwd")
    (tmp_path / "tests" / "linked").symlink_to("/etc")
    suite = suite_in(tmp_path)
    assert list(suite.files) == ["tests/test_a.py"]
    assert sorted(suite.notes) == [
        "tests/b.bin was left out: it is no UTF-8 text",
        "tests/big.txt was left out: larger than 1 MiB",
        "tests/link.py was left out: a link",
        "tests/linked was left out: a link",
    ]


def test_an_archive_will_do(tmp_path: Path) -> None:
    sent = {"kim/candidate/tiny.py": b"b = 2\n", "kim/tests/test_a.py": b"a = 1\n"}
    assert list(suite_in(as_zip(sent, tmp_path)).files) == ["candidate/tiny.py", "tests/test_a.py"]


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(PowerError, match="there is no such file or folder; tests are looked for"):
        suite_in(tmp_path / "nowhere")
    with pytest.raises(PowerError, match="there is no folder tests in it"):
        suite_in(put(tmp_path / "a.py"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(PowerError, match=r"has no candidate/ .*; tests are looked for in a folder"):
        suite_in(tmp_path / "empty")
    (tmp_path / "empty").rmdir()
    put(tmp_path / "tests" / "notes.txt")
    (tmp_path / "a.py").unlink()
    with pytest.raises(PowerError, match="there is no Python file in it"):
        suite_in(tmp_path)
    put(tmp_path / "other" / "a.py")
    (tmp_path / "other" / "tests").symlink_to(tmp_path / "tests")
    with pytest.raises(PowerError, match="there is no folder tests in it"):
        suite_in(tmp_path / "other")
