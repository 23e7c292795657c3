"""A guide for people at a terminal, and where there is none."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from grader.kit.strict_yaml import FixtureError
from grader.project import Exercise, read_exercise
from grader.report.guide_terminal import MOST_WIDTH, show
from tests.golden import assert_golden
from tests.guides import TEXT, exercise

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "\x1b[2J\x1b[31m\x07\x9b1m\r\u202e"


@pytest.fixture
def small(tmp_path: Path) -> Exercise:
    return exercise(tmp_path)


def shown(guided: Exercise, *, colours: bool = False, width: int = 80, only: str = "utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=only, newline="\n")
    show(guided, Console(width=width, file=file, force_terminal=colours, highlight=False))
    file.seek(0)
    return file.read()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_what_is_shown(small: Exercise, encoding: str) -> None:
    assert_golden(shown(small, only=encoding).rstrip("\n"), GOLDEN / f"guide_{encoding}.txt")


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize(
    ("name", "width"), [("small", 50), ("tiny", 80), ("tensor", 80), ("tensor", 200)]
)
def test_no_line_is_wider_than_the_screen_or_ends_in_spaces(
    small: Exercise, name: str, width: int, *, colours: bool
) -> None:
    guided = small if name == "small" else read_exercise(name)
    lines = Text.from_ansi(shown(guided, colours=colours, width=width)).plain.splitlines()
    assert max(map(len, lines)) <= min(width, MOST_WIDTH)
    assert [line for line in lines if line != line.rstrip()] == []


def test_code_keeps_its_backticks_only_where_it_has_no_colour(small: Exercise) -> None:
    assert "gradients with `mul`" in shown(small)
    coloured = shown(small, colours=True)
    assert "`" not in coloured
    assert "gradients with mul" in Text.from_ansi(coloured).plain


def test_without_colours_code_keeps_its_backticks_on_a_terminal_too(
    small: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "`mul`" in shown(small, colours=True)


@pytest.mark.parametrize("width", range(40, 80))
def test_code_within_a_sentence_is_not_broken(small: Exercise, width: int) -> None:
    assert "`x * y`" in shown(small, width=width)


def test_a_guide_without_twists_does_not_speak_of_them(tmp_path: Path) -> None:
    text = shown(exercise(tmp_path, TEXT[: TEXT.index("twists:")]))
    assert "requirement" not in text


def test_a_stage_without_hints_has_no_heading(tmp_path: Path) -> None:
    only_first = TEXT[TEXT.index("  - stage: second") : TEXT.index("follow_ups")]
    lines = shown(exercise(tmp_path, TEXT.replace(only_first, "\n"))).splitlines()
    assert "first" in lines
    assert "second" not in lines


def test_control_characters_do_not_reach_the_screen(tmp_path: Path) -> None:
    quoted = '"' + "".join(f"\\u{ord(character):04x}" for character in HOSTILE) + ' told"'
    text = TEXT.replace("What now?", quoted).replace("Small", quoted)
    said = shown(exercise(tmp_path, text))
    assert "told" in said
    assert not set(HOSTILE.replace("[2J", "").replace("[31m", "").replace("1m", "")) & set(said)


@pytest.mark.parametrize("markup", ["[red]x[/red]", "[/]", "[link=file:///]x[/link]", ":boom:"])
def test_markup_is_not_interpreted(tmp_path: Path, markup: str) -> None:
    said = shown(exercise(tmp_path, TEXT.replace("What now?", f"'{markup}'")))
    assert f" 1. {markup}\n" in said


def test_of_a_broken_guide_nothing_is_shown(tmp_path: Path) -> None:
    file = io.StringIO()
    broken = exercise(tmp_path, TEXT.replace("- What next?", "- 3"))
    with pytest.raises(FixtureError):
        show(broken, Console(file=file))
    assert file.getvalue() == ""
