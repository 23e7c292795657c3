"""`grader bench`: a table, data, a page, and what it refuses before it measures anything."""

import json
from pathlib import Path

import pytest

from grader.__main__ import run
from grader.bench.contestants import ONE_THREAD
from grader.report.bench_html import is_page
from tests.miniatures import written

Capture = pytest.CaptureFixture[str]
SHORT = ("--deepest", "30", "--rounds", "2", "--workload", "chain")


def bench(*arguments: object) -> int:
    return run(["bench", *map(str, arguments)])


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command sets how many threads libraries use; other tests get back what they had."""
    for name, value in ONE_THREAD.items():
        monkeypatch.setenv(name, value)


def test_engines_stand_side_by_side(capsys: Capture) -> None:
    assert bench("reference", "candidate", "micrograd", *SHORT) == 0
    out = capsys.readouterr().out
    assert out.startswith("tiny: forward and backward, engines side by side\n")
    assert "Long chain  h = h + w" in out
    rows = [line.split()[0] for line in out.splitlines() if " ms ±" in line or " µs ±" in line]
    assert rows == ["reference", "candidate", "micrograd"]
    assert "  micrograd: reached 30 additions; " in out


def test_what_is_named_twice_is_measured_once(capsys: Capture) -> None:
    assert bench("reference", "reference", *SHORT, "--workload", "chain") == 0
    assert capsys.readouterr().out.count("  reference: reached 30 additions; ") == 1


def test_as_data_and_as_a_page(tmp_path: Path, capsys: Capture) -> None:
    data, page = tmp_path / "bench.json", tmp_path / "bench.html"
    assert bench("reference", *SHORT, "--json", data, "--html", page) == 0
    names = [each["name"] for each in json.loads(data.read_text())["benchmarks"]]
    assert names == ["chain[reference-3]", "chain[reference-10]", "chain[reference-30]"]
    assert is_page(page.read_bytes()[:1024])
    assert f"{page} written" in capsys.readouterr().out


def test_data_on_standard_output_stands_there_alone(capsys: Capture) -> None:
    assert bench("reference", *SHORT, "--json", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["autograde"]["exercise"] == "tiny"
    assert err.startswith("tiny: forward and backward")


def test_an_engine_that_fails_is_in_the_table_with_its_reason(
    tmp_path: Path, capsys: Capture
) -> None:
    assert bench("reference", written("raises", tmp_path), *SHORT) == 0
    assert "stopped at 3: KeyError: 'x'" in capsys.readouterr().out


def test_a_library_that_is_no_rival_is_told_and_the_others_are_measured(capsys: Capture) -> None:
    assert bench("torch", "micrograd", *SHORT, "--exercise", "tensor") == 0
    assert "micrograd: is no rival in the exercise tensor" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere: there is no such engine, file or folder"),
        (("micrograd", "--exercise", "tensor"), "micrograd: is no rival in the exercise tensor"),
        (("--exercise", "nope"), "there is no exercise 'nope'"),
        (("--html", "{here}"), "{here}: cannot be written: it is a folder"),
        (("--html", "{here}/notes.txt"), "is there and is no benchmark; name another file"),
        (("--json", "{here}/no/x"), "cannot be written: there is no such folder"),
        (("--rounds", "0"), "Invalid value for '--rounds'"),
        (("--workload", "x"), "Invalid value for '--workload'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "notes.txt").write_text("mine\n", encoding="utf-8")
    told = [word.format(here=tmp_path) for word in arguments]
    assert bench(*told) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said.format(here=tmp_path) in err


def test_without_pytest_benchmark_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("grader.commands.bench.find_spec", lambda _: None)
    assert bench("reference", *SHORT, "--json", "-") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("pip install 'autograde[bench]'\n")
