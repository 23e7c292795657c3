"""A grade for people: what stands on the screen, and what never gets there."""

import io
import itertools
from dataclasses import replace

import pytest
from rich.console import Console
from rich.text import Text

from grader.kit.engine import Raised
from grader.kit.judge import judge
from grader.project import Stage
from grader.report.terminal import BAR, MOST_FAILURES, MOST_OF_A_STAGE, progress, show, worst
from grader.score import Grade, score
from tests.cases import case
from tests.report.grades import EXERCISE, STAGES, graded, verdict

FULL, EMPTY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}", "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
HOSTILE = "\x1b[2J\x1b[31m\x07\x08\x9b1m\r20 passed\u2028[bold]\u202e"


def shown(grade: Grade, *, colours: bool = False, width: int = 100) -> str:
    file = io.StringIO()
    show(grade, Console(width=width, file=file, force_terminal=colours, highlight=False))
    return file.getvalue()


def line_of(text: str, name: str) -> str:
    (line,) = (line for line in text.splitlines() if line.startswith(f"{name} "))
    return line


# --- bars and numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "asked"),
    [(0, 1), (1, 1), (1, 2), (0, 500), (1, 500), (250, 500), (499, 500), (500, 500), (23, 24)],
)
def test_a_bar_is_full_only_for_all_and_empty_only_for_none(passed: int, asked: int) -> None:
    verdicts = [verdict("passed")] * passed + [verdict("wrong")] * (asked - passed)
    line = line_of(shown(graded(*verdicts)), "stage1")
    full, empty = line.count(FULL), line.count(EMPTY)
    assert full + empty == BAR
    assert (full == BAR) == (passed == asked)
    assert (full == 0) == (passed == 0)
    assert f"{passed} of {asked} " in line


def test_every_stage_has_its_line_with_points() -> None:
    grade = graded(
        verdict("passed", stage="contract"),
        verdict("wrong", stage="stage1"),
        verdict("passed", stage="stage3"),
        verdict("not_attempted", stage="stage3"),
    )
    text = shown(grade)
    assert "8.33 of 8.33" in line_of(text, "contract")
    assert "0.00 of 8.33" in line_of(text, "stage1")
    assert "4.17 of 8.33" in line_of(text, "stage3")
    assert "1 not attempted" in line_of(text, "stage3")
    assert "not attempted" not in line_of(text, "stage1")
    assert "correctness 12.50 of 25  (2 of 4 cases passed)" in text
    assert "stage2" not in text


def test_without_failures_none_are_spoken_of() -> None:
    text = shown(graded(verdict("passed")))
    assert "correctness 25.00 of 25  (1 of 1 cases passed)" in text
    assert "did not pass" not in text


def test_a_fault_of_the_graders_is_told_in_place_of_a_total() -> None:
    text = shown(graded(verdict("passed"), verdict("grader_fault", "out of disk")))
    assert "correctness" not in text
    assert "no total: the grader itself failed on 1 case" in text
    assert "out of disk" in text


def test_the_head_says_what_ran_where_and_notes_come_first() -> None:
    lines = shown(graded(verdict("passed"), notes=("NOT SANDBOXED: as asked",))).splitlines()
    assert lines[0].rstrip() == "NOT SANDBOXED: as asked"
    assert lines[1].rstrip() == "candidate  tiny, sandbox: bwrap"


# --- failures ------------------------------------------------------------------------------------


def test_a_failure_has_stage_name_status_and_message() -> None:
    text = shown(graded(verdict("out_of_memory", "too much of it", name="big_one")))
    assert "1 of the 1 cases that did not pass" in text
    assert "  stage1  big_one  out of memory" in text
    assert "    too much of it" in text


LONG = graded(verdict("wrong", "x" * 500, name="n" * 90), engine="/a/path" * 20)


@pytest.mark.parametrize("width", [40, 100])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    lines = Text.from_ansi(shown(LONG, colours=True, width=width)).plain.splitlines()
    assert max(map(len, lines)) <= width


def test_in_a_file_a_failure_is_told_in_full() -> None:
    assert "    " + "x" * 500 in shown(LONG).splitlines()


def test_the_gravest_of_a_stage_come_first() -> None:
    names = ("not_attempted", "wrong", "raised", "timed_out", "crashed", "passed")
    verdicts = [verdict(status, topic=status) for status in names]  # type: ignore[arg-type]
    assert [v.status for v in worst(graded(*verdicts))] == ["crashed", "timed_out", "raised"]


def test_of_one_file_one_failure_is_enough() -> None:
    grade = graded(verdict("wrong", name="a"), verdict("wrong", name="b"), verdict("crashed"))
    assert [v.status for v in worst(grade)] == ["crashed"]
    assert "1 of the 3 cases that did not pass" in shown(grade)


def test_every_stage_is_heard_and_none_fills_the_screen() -> None:
    verdicts = [
        verdict("wrong", stage=stage, topic=f"topic_{n}")
        for stage, n in itertools.product(STAGES, range(9))
    ]
    chosen = worst(graded(*verdicts))
    assert len(chosen) == MOST_FAILURES
    heard = [v.case.stage for v in chosen]
    assert set(heard) == set(STAGES)
    assert max(heard.count(stage) for stage in STAGES) <= MOST_OF_A_STAGE


def test_a_fault_of_the_graders_is_always_among_those_shown() -> None:
    verdicts = [verdict("wrong", stage=s, topic=f"{n}") for s in STAGES for n in range(4)]
    chosen = worst(graded(*verdicts, verdict("grader_fault", stage=STAGES[-1])))
    assert "grader_fault" in {v.status for v in chosen}


def test_what_passed_is_no_failure() -> None:
    assert worst(graded(verdict("passed"), verdict("passed"))) == []


# --- what a stranger wrote -----------------------------------------------------------------------


@pytest.mark.parametrize("colours", [False, True])
def test_control_characters_of_a_message_do_not_reach_the_screen(*, colours: bool) -> None:
    message = judge(case(), Raised("KeyError", HOSTILE, (), 0.0))
    assert_harmless(shown(graded(message), colours=colours))


@pytest.mark.parametrize("colours", [False, True])
def test_control_characters_of_an_engines_name_do_not_reach_the_screen(*, colours: bool) -> None:
    """A folder may be called anything by whoever hands it in."""
    assert_harmless(shown(graded(verdict("passed"), engine=HOSTILE), colours=colours))


@pytest.mark.parametrize("colours", [False, True])
def test_control_characters_of_a_note_do_not_reach_the_screen(*, colours: bool) -> None:
    assert_harmless(shown(graded(verdict("passed"), notes=(HOSTILE,)), colours=colours))


def assert_harmless(text: str) -> None:
    assert "20 passed" in text, "it should be told, only not as it is"
    for raw in ("\x1b[2J", "\x1b[31m\x07", "\x07", "\x08", "\x9b", "\r", "\u2028", "\u202e"):
        assert raw not in text, ascii(raw)


@pytest.mark.parametrize(
    "text", ["[red]x[/red]", "[/]", "[bold", "a\\", "\\[red]x", "[link=file:///]x[/link]", ":boom:"]
)
def test_markup_is_not_interpreted(text: str) -> None:
    told = verdict("raised", text)
    assert text in shown(graded(told, engine=text, notes=(text,)))
    lines = shown(graded(told, engine=text, notes=(text,))).splitlines()
    assert [text in line for line in (lines[0], lines[1], lines[-1])] == [True] * 3


# --- progress ------------------------------------------------------------------------------------


def test_progress_says_nothing_where_the_output_is_no_terminal() -> None:
    file = io.StringIO()
    with progress(Console(file=file)) as bar:
        task = bar.add_task("engine", total=2)
        bar.advance(task)
    assert file.getvalue() == ""


@pytest.mark.parametrize("stage", ["stage1", "softmax_cross_entropy"])
def test_numbers_are_whole_at_eighty_columns_and_bars_give_way(stage: str) -> None:
    verdicts = [verdict("not_attempted", stage=stage)] * 105
    exercise = replace(EXERCISE, stages={stage: Stage(stage, 10.0, "")})
    text = shown(score(exercise, "candidate", "bwrap", verdicts, []), width=80)
    assert "0 of 105" in line_of(text, stage)
    assert "105 not attempted" in line_of(text, stage)
    assert (EMPTY * 3 in line_of(text, stage)) == (stage == "stage1")
