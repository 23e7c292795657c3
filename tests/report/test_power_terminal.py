"""What a person reads of what tests are worth, and what programs are told."""

import io
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from grader.bugs import Bug
from grader.power.measure import Fate, Invalid, Power
from grader.report import power_json, power_terminal
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"


def bug(name: str, stage: str = "stage1", kind: str = "wrong local rule") -> Bug:
    return Bug(name, kind, stage, "f", "a", "b", "cause", "hint")


POWER = Power(
    "tiny",
    valid=("tests/test_a.py::test_tanh", "tests/test_a.py::test_mean[\x1b[2J]"),
    invalid=(
        Invalid("tests/test_b.py::test_sum", "on the reference: tests/test_b.py:3: assert 1"),
    ),
    unread=(Invalid("tests/test_c.py", "SyntaxError: invalid syntax"),),
    fates=(
        Fate(bug("tanh"), "caught", ("tests/test_a.py::test_tanh",)),
        Fate(bug("mean"), "caught", ("tests/test_a.py::test_tanh",)),
        Fate(bug("sign"), "survived"),
        *(Fate(bug(f"stretched-{n}", "stage2", "broadcasting"), "survived") for n in range(14)),
        Fate(bug("slow", "stage3", "speed"), "timed_out", why="it took too long"),
        Fate(bug("dies", "stage3", "speed"), "crashed", why="the tests' process ended (SIGSEGV)"),
        Fate(bug("odd", "stage3", "speed"), "not_run", why="tests/test_a.py:3: OSError"),
    ),
    sandbox="process",
    notes=(
        "NOT SANDBOXED: the tests ran as a plain process (as asked)",
        "tests/b.bin was left out",
    ),
)


def shown(power: Power, encoding: str = "utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    console = Console(file=file, width=80, force_terminal=False, highlight=False)
    power_terminal.show(power, "kim", console)
    assert isinstance(file.buffer, io.BytesIO)
    lines = file.buffer.getvalue().decode(encoding).splitlines()
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_is_shown_as_it_always_was(encoding: str) -> None:
    assert_golden(shown(POWER, encoding), GOLDEN / f"power_{encoding}.txt")


def test_what_there_is_nothing_of_is_not_spoken_of() -> None:
    power = replace(POWER, invalid=(), unread=(), notes=(), fates=POWER.fates[:1])
    text = shown(power)
    assert text.startswith("kim  tiny, 2 valid tests, 0 invalid, sandbox: process\n\ncaught 1 of 1")
    for word in ("no test catches", "not counted", "cannot read", "does not always pass"):
        assert word not in text


def test_programs_are_told_everything_in_the_form_of_the_schema() -> None:
    data = power_json.as_data(POWER)
    jsonschema.validate(data, power_json.schema())
    assert (data["caught"], data["of"], data["share"]) == (2, 20, 0.1)
    assert data["stages"]["stage3"] == {"caught": 0, "of": 3}
    assert data["kinds"]["wrong local rule"] == {"caught": 2, "of": 3}
    assert data["valid"][0] == {"test": POWER.valid[0], "catches": ["tanh", "mean"]}
    assert data["valid"][1]["catches"] == []
    assert data["bugs"][-1]["outcome"] == "not_run"
    assert data["bugs"][-1]["why"] == "tests/test_a.py:3: OSError"
    assert len(data["bugs"]) == data["of"]
