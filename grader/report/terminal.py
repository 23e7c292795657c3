"""A grade in the terminal: a bar a stage, the points, and the failures worth reading first."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from grader.kit.judge import Verdict
from grader.kit.worker import printable
from grader.score import OUT_OF, Grade, StageScore

if TYPE_CHECKING:
    from grader.diagnosis import Diagnosis

BAR = 20
WIDTH_BESIDE_NAMES = 66  # what the table takes with bars, beside the names of the stages
MOST_FAILURES = 8
MOST_OF_A_STAGE = 3
# What tells the most about an engine comes first.
GRAVITY = (
    "grader_fault", "crashed", "out_of_memory", "too_much_output", "invalid_answer", "timed_out",
    "raised", "wrong", "not_attempted", "passed",
)  # fmt: skip


def progress(console: Console) -> Progress:
    """A bar that goes away when it is done; nothing where the output is no terminal."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=BAR),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal or console.record,  # a picture has no movement
    )


def busy(console: Console, text: str) -> AbstractContextManager[object]:
    """Something that moves while work is done; nothing where `progress` shows nothing."""
    if not console.is_terminal or console.record:
        return nullcontext()
    return console.status(text)


def show(grade: Grade, console: Console) -> None:
    for note in grade.notes:
        is_grave = note.startswith("NOT SANDBOXED")
        console.print(Text(printable(note), "bold red" if is_grave else "yellow"))
    ran = f"  {grade.exercise}, sandbox: {grade.sandbox}"
    console.print(Text.assemble((printable(grade.engine), "bold"), ran))
    console.print()
    console.print(_stages(grade, console))
    console.print()
    console.print(_total(grade))
    if grade.diagnosis is not None:
        console.print()
        for line in _diagnosis(grade.diagnosis):
            console.print(line, soft_wrap=not console.is_terminal)
    failures = worst(grade)
    if failures:
        console.print()
        for line in _failures(grade, failures):
            if console.is_terminal:
                console.print(line, no_wrap=True, overflow="ellipsis")
            else:  # a file or a pipe has no edge to fit in
                console.print(line, soft_wrap=True)


def _stages(grade: Grade, console: Console) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("stage", "", "cases passed", "points", ""):
        table.add_column(heading, no_wrap=True)
    has_bars = console.width >= WIDTH_BESIDE_NAMES + max(map(len, grade.stages))
    for stage in grade.stages.values():
        table.add_row(
            stage.name,
            _bar(stage, console) if has_bars else "",
            f"{stage.passed} of {stage.asked}",
            f"{stage.points:.2f} of {stage.out_of:.2f}",
            f"{stage.not_attempted} not attempted" if stage.not_attempted else "",
        )
    return table


def bar_marks(console: Console) -> tuple[str, str]:
    """What the full and the empty part of a bar are made of."""
    return ("#", ".") if console.options.ascii_only else ("━", "─")


def _bar(stage: StageScore, console: Console) -> Text:
    """Full only when every case has passed, empty only when none has."""
    full, empty = bar_marks(console)
    filled = BAR * stage.passed // stage.asked
    filled = max(filled, 1) if stage.passed else 0
    colour = "green" if stage.passed == stage.asked else "yellow" if stage.passed else "red"
    return Text(full * filled, style=colour) + Text(empty * (BAR - filled), style="dim")


def _total(grade: Grade) -> Text:
    passed = sum(stage.passed for stage in grade.stages.values())
    cases = f"{passed} of {len(grade.verdicts)} cases passed"
    if grade.points is None:
        faults = sum(v.status == "grader_fault" for v in grade.verdicts)
        return Text(f"no total: the grader itself failed on {faults} cases ({cases})", "bold red")
    return Text.assemble(
        "correctness ", (f"{grade.points:.2f} of {OUT_OF}", "bold"), f"  ({cases})"
    )


def _diagnosis(diagnosis: "Diagnosis") -> Iterator[Text]:
    """A line for each bug, and how well they fit together."""
    for suspect in diagnosis.suspects:
        cause = suspect.cause[:1].lower() + suspect.cause[1:].rstrip(".")
        share = f" ({suspect.explained} of {suspect.cases} cases explained)"
        yield Text.assemble(("consistent with: ", "dim"), cause, (share, "dim"))
    told = f"fit {diagnosis.fit:.2f}: {diagnosis.explained} of {diagnosis.failing} failing cases"
    doubt = "" if diagnosis.confirmed else ", by what is known of these bugs one by one"
    yield Text(f"{told} explained{doubt}", "dim")
    for other in diagnosis.alternatives:
        yield Text(f"or, as well: {', '.join(other)}", "dim")


def worst(grade: Grade) -> list[Verdict]:
    """A few failures: the gravest of each stage, one for each kind of case file first."""
    failed = [v for v in grade.verdicts if v.status != "passed"]
    stages = len({v.case.stage for v in failed})
    share = min(MOST_OF_A_STAGE, max(1, MOST_FAILURES // max(1, stages)))
    chosen = []
    for _, of_stage in groupby(failed, key=lambda v: v.case.stage):
        by_gravity = sorted(of_stage, key=lambda v: GRAVITY.index(v.status))
        chosen += list(_one_a_topic(by_gravity))[:share]
    return chosen


def _one_a_topic(verdicts: list[Verdict]) -> Iterator[Verdict]:
    seen = set()
    for verdict in verdicts:
        if verdict.case.path.stem not in seen:
            seen.add(verdict.case.path.stem)
            yield verdict


def _failures(grade: Grade, chosen: list[Verdict]) -> Iterator[Text]:
    failed = sum(v.status != "passed" for v in grade.verdicts)
    yield Text(f"{len(chosen)} of the {failed} cases that did not pass:")
    for verdict in chosen:
        status = verdict.status.replace("_", " ")
        yield Text.assemble(f"  {verdict.case.stage}  ", (verdict.case.name, "bold"), f"  {status}")
        yield Text(f"    {verdict.message}", style="dim")
