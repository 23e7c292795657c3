"""`grader new`: what it says, a round of sessions, and what it refuses in one line."""

import json
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.session.record import read_record

Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: object) -> str:
    assert run(["new", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("grader: ").rstrip("\n")


def test_it_says_what_was_made_and_for_whom(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "kim"
    assert run(["new", str(folder), "--seed", "7", "--minutes", "40", "--twist", "none"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{folder}  tiny, buggy, seed 7, 40 minutes, 7 bugs, no new requirement",
        f"  {folder / 'kit'}: for the candidate",
        f"  {folder / 'interviewer'}: for you alone",
    ]
    assert "You have 40 minutes." in (folder / "kit" / "README.md").read_text("utf-8")


def test_without_a_seed_one_is_drawn_and_printed(tmp_path: Path, capsys: Capture) -> None:
    assert run(["new", str(tmp_path / "kim")]) == 0
    seed = read_record(tmp_path / "kim").seed
    assert f"seed {seed}," in capsys.readouterr().out


def test_a_round_has_a_folder_for_each_name(tmp_path: Path, capsys: Capture) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Kim Lee\nÅsa\n", encoding="utf-8")
    folder = tmp_path / "march"
    assert run(["new", str(folder), "--names", str(names), "--seed", "3", "--count", "2"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["Kim-Lee", "round.json", "Åsa"]
    told = json.loads((folder / "round.json").read_text("utf-8"))
    assert [each["name"] for each in told["sessions"]] == ["Kim Lee", "Åsa"]
    seeds = [read_record(folder / each["folder"]).seed for each in told["sessions"]]
    assert seeds == [each["seed"] for each in told["sessions"]]
    assert len(set(seeds)) == 2
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert said[-1] == f"2 sessions, listed in {folder / 'round.json'}"


def test_what_is_wrong_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Kim\n", encoding="utf-8")
    assert refused(capsys, tmp_path).startswith(f"{tmp_path}: is not empty; ")
    line = refused(capsys, tmp_path / "march", "--names", names, "--count", 3)
    assert line == f"{names}: has 1 names, not 3; leave --count out"
    assert "there is no exercise 'x'" in refused(capsys, tmp_path / "a", "--exercise", "x")
    assert "there is no twist 'x'" in refused(
        capsys, tmp_path / "a", "--exercise", "tensor", "--twist", "x"
    )
    assert refused(capsys, tmp_path / "a", "--start", "skeleton").startswith("the tiny exercise")
    assert "'--seed'" in refused(capsys, tmp_path / "a", "--seed", -1)
    assert [path.name for path in tmp_path.iterdir()] == ["names.txt"]
