"""A round: a folder for each name, and a seed that depends on nobody else."""

from pathlib import Path

import pytest

from grader.session.record import SessionError
from grader.session.round import Place, folder_for, numbered, places_in, seed_for


def names(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "names.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_name_a_line(tmp_path: Path) -> None:
    file = names(tmp_path, "\ufeffKim Lee\r\n\r\n# the second day\n  Åsa Öberg \n")
    assert places_in(file) == [Place("Kim Lee", "Kim-Lee"), Place("Åsa Öberg", "Åsa-Öberg")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kim\n\nKIM\n", ":3: 'KIM' has the same folder as line 1: KIM"),
        ("kim lee\nkim/lee\n", ":2: 'kim/lee' has the same folder as line 1: kim-lee"),
        ("../..\n", ":1: no folder can be called '../..'"),
        ("con\n", ":1: no folder can be called 'con'"),
        ("# nobody\n\n", ": there is no name in it; write one a line"),
        (b"\xff\xfe", ": is not UTF-8 text; save it as UTF-8"),
    ],
)
def test_what_cannot_be_a_folder_is_named(text: str | bytes, said: str, tmp_path: Path) -> None:
    file = names(tmp_path, text)
    with pytest.raises(SessionError) as caught:
        places_in(file)
    assert str(caught.value).startswith(f"{file}{said}")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=r"none\.txt: cannot be read: No such file"):
        places_in(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("kim", "kim"),
        ("  a / b  ", "a-b"),
        ("..", ""),
        ("-rf", "rf"),
        ("x" * 300, "x" * 100),
        ("aux.txt", ""),
        ("李雷", "李雷"),
    ],
)
def test_folders_are_safe_on_every_system(name: str, folder: str) -> None:
    assert folder_for(name) == folder


def test_without_names_they_are_numbered() -> None:
    assert [place.folder for place in numbered(3)] == ["01", "02", "03"]
    assert numbered(120)[-1].folder == "120"
    assert numbered(120)[0].folder == "001"


def test_a_seed_depends_on_the_round_and_the_folder_alone() -> None:
    kim, lee = Place("Kim", "kim"), Place("Lee", "lee")
    assert seed_for(1, kim) == seed_for(1, Place("kim", "kim"))
    assert len({seed_for(1, kim), seed_for(2, kim), seed_for(1, lee)}) == 3
    assert 0 <= seed_for(1, kim) < 1 << 63
