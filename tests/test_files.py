"""Nobody ever sees half of a file."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

from grader.files import write_text, write_tree


def fails(*_: object) -> NoReturn:
    raise OSError(28, "No space left on device")


def test_the_text_is_written_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    write_text(file, "one\ntwo \N{GREEK SMALL LETTER PI}\n")
    assert file.read_bytes() == b"one\ntwo \xcf\x80\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize(
    ("broken", "text"),
    [
        ("os.fsync", "new"),
        ("pathlib.Path.replace", "new"),
        ("pathlib.Path.chmod", "new"),
        (None, "no UTF-8 \ud800"),
    ],
)
def test_an_error_leaves_the_old_content_and_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str | None, text: str, *, exists: bool
) -> None:
    file = tmp_path / "kept.txt"
    if exists:
        file.write_text("old", encoding="utf-8")
    if broken:
        monkeypatch.setattr(broken, fails)
    with pytest.raises((OSError, UnicodeEncodeError)):
        write_text(file, text)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"] * exists


def test_an_interrupt_leaves_the_old_content_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> NoReturn:
        raise KeyboardInterrupt

    file = tmp_path / "kept.txt"
    file.write_text("old", encoding="utf-8")
    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(file, "new")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "kept.txt"
    file.write_text("old", encoding="utf-8")
    file.chmod(mode)
    write_text(file, "new")
    assert file.read_text(encoding="utf-8") == "new"
    assert file.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "new.txt", "new")
        assert os.umask(mask) == mask, "the mask must be as it was"
    finally:
        os.umask(before)
    assert (tmp_path / "new.txt").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed_and_stays_a_link(tmp_path: Path, *, exists: bool) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    if exists:
        target.write_text("old", encoding="utf-8")
    write_text(link, "new")
    assert link.is_symlink()
    assert not target.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("name", ["missing/file.txt", "folder"])
def test_where_no_file_can_be_an_error_is_raised(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_text(tmp_path / name, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_tree_has_every_file_in_its_folder(tmp_path: Path) -> None:
    files = {"a.txt": b"\xff", "deep/er/b.txt": b"", "deep/c.txt": b"c"}
    write_tree(tmp_path, files)
    found = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert found == files
