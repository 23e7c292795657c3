"""`grader selftest`: a table, data, a page, and an exit code that tells."""

import json
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.project import ROOT
from grader.report.selftest import families
from grader.selftest.attack import corpus

Capture = pytest.CaptureFixture[str]


def selftest(*arguments: object) -> int:
    return run(["selftest", *map(str, arguments)])


def test_what_is_repelled_and_what_is_not_stands_in_the_table(capsys: Capture) -> None:
    assert selftest("--sandbox", "process", "--attacks", "aborts,reads_home") == 1
    out = capsys.readouterr().out
    assert "aborts      repelled  0.00  0  0" in out
    assert "reads_home  GOT IN   25.00  0  0" in out
    assert "process: 1 of 2 attacks repelled; it did not repel reads_home" in out
    assert selftest("--sandbox", "process", "--attacks", "aborts") == 0


def test_as_data_and_as_a_page(tmp_path: Path, capsys: Capture) -> None:
    data, page = tmp_path / "selftest.json", tmp_path / "attacks.md"
    assert (
        selftest("--sandbox", "process", "--attacks", "aborts", "--json", data, "--markdown", page)
        == 0
    )
    told = json.loads(data.read_text(encoding="utf-8"))
    assert told["passed"] is True
    (attack,) = told["attacks"]
    assert attack["attempts"][0]["statuses"] == ["crashed"]
    assert "| `aborts` | abort(), as C code" in page.read_text(encoding="utf-8")


def test_an_attack_on_reports_leaves_those_alone_that_lie_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "grade.json"
    mine.write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert selftest("--sandbox", "process", "--attacks", "writes_a_report") == 1
    assert mine.read_text(encoding="utf-8") == "{}"
    assert list(tmp_path.iterdir()) == [mine]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--attacks", "nothing"), "there is no attack 'nothing'"),
        (("--attacks", ","), "--attacks names no attack"),
        (("--sandbox", "seatbelt"), "seatbelt: sandbox-exec is for macOS only"),
        (("--json", "/no/such/folder/a.json"), "there is no such folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], said: str, capsys: Capture
) -> None:
    assert selftest(*arguments) == 2
    assert said in capsys.readouterr().err


def test_the_attacks_can_be_listed(capsys: Capture) -> None:
    assert selftest("--list") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(corpus())


def test_the_readme_and_the_page_have_every_attack() -> None:
    page = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    assert [name for name in corpus() if f"| `{name}` |" not in page] == []
    assert page.count("| `") == len(corpus())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for family, count in families(corpus().values()).items():
        assert f"| {family} | {count} |" in readme
