"""Files that a command is to write: what must not be taken for one."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from grader.commands.errors import BadInput, GraderFault
from grader.commands.target import START, check_target, write_target


def is_ours(start: bytes) -> bool:
    return start.startswith(b"ours")


@pytest.mark.parametrize("content", [None, b"", b"ours", b"ours" + b"x" * 2 * START])
def test_a_free_place_and_a_file_of_ours_may_be_written(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "page"
    if content is not None:
        file.write_bytes(content)
    check_target(file, is_ours, "page")
    write_target(file, "ours, again")
    assert file.read_text(encoding="utf-8") == "ours, again"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("notes.txt", "is there and is no page; name another file"),
        ("nowhere/page", "cannot be written: there is no such folder"),
        ("notes.txt/page", "cannot be written: Not a directory"),
        (".", "cannot be written: it is a folder"),
        ("pipe", "cannot be written: it is no ordinary file"),
        ("to_null", "cannot be written: it is no ordinary file"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
def test_no_other_place_may(tmp_path: Path, target: str, said: str) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("theirs", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to_null").symlink_to(os.devnull)
    with pytest.raises(BadInput) as caught:
        check_target(tmp_path / target, is_ours, "page")
    assert caught.value.format_message() == f"{tmp_path / target}: {said}"
    assert notes.read_text(encoding="utf-8") == "theirs"


def test_a_link_keeps_pointing_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("ours", encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to("page")
    check_target(link, is_ours, "page")
    write_target(link, "ours, again")
    assert link.is_symlink()
    assert (tmp_path / "page").read_text(encoding="utf-8") == "ours, again"


def test_what_fails_in_writing_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written: No such file or directory"):
        write_target(tmp_path / "nowhere" / "page", "ours")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_is_full_is_the_graders_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    page = tmp_path / "page"
    page.write_text("before", encoding="utf-8")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(GraderFault, match="cannot be written") as caught:
        write_target(page, "ours")
    assert caught.value.exit_code == 3
    assert [page.read_text(encoding="utf-8")] == ["before"]
    assert list(tmp_path.iterdir()) == [page]
