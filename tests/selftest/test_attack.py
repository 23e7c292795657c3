"""The corpus is in order: each file says what it tries and what must come of it."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from grader.kit.judge import Status
from grader.selftest.attack import FOLDER, Attack, AttackError, corpus, read

CORPUS = corpus()
MARKS = {
    "HOME": "/h", "OTHER": "/o", "TEMP": "/t", "PORT": "1", "GRADER": "1", "PROJECT": "/p",
    "USERS": "0", "MARK": "m",
}  # fmt: skip
GOOD = '"""Tries it.\n\nfamily: new\nexpect: wrong raised\n"""\nHOME = "@HOME@"\n'


def test_there_are_over_a_hundred_of_a_dozen_families() -> None:
    assert len(CORPUS) > 100
    assert len({attack.family for attack in CORPUS.values()}) > 12
    assert len(CORPUS) == len(list(FOLDER.glob("*.py")))


@pytest.mark.parametrize("attack", CORPUS.values(), ids=lambda attack: attack.name)
def test_an_attack_is_told_in_a_line_expects_verdicts_that_there_are_and_is_python(
    attack: Attack,
) -> None:
    assert attack.about.endswith(".")
    assert len(attack.about) < 110
    assert attack.expect <= {*get_args(Status), "unusable", "refused"}
    assert "passed" not in attack.expect or attack.noted
    assert attack.escapes in ("", "process")
    assert attack.harms in ("", "unfiltered")
    ast.parse(attack.filled(MARKS))


def test_a_header_is_read(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(GOOD, encoding="utf-8")
    attack = read(file)
    assert (attack.name, attack.about, attack.family) == ("new", "Tries it.", "new")
    assert attack.expect == {"wrong", "raised"}
    assert 'HOME = "/h"' in attack.filled(MARKS)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("family: new\n", "", "its header must have family and expect"),
        ("expect: wrong raised\n", "", "its header must have family and expect"),
        ("family: new", "family: new\nmystery: x", "its header must have"),
        ("family: new", "family: new\nkind: spell", "kind is one of"),
    ],
)
def test_a_header_that_is_not_in_order_is_told_with_its_file(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    file = tmp_path / "new.py"
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(AttackError, match=re.escape(f"{file}: {why}")):
        read(file)


def test_an_unknown_mark_is_told(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(GOOD.replace("@HOME@", "@NOTHING@"), encoding="utf-8")
    with pytest.raises(AttackError, match=r"new.py: there is no mark @NOTHING@"):
        read(file).filled(MARKS)
