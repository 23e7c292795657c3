"""What a candidate's tests are worth, in the terminal."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.kit.worker import printable
from grader.power.measure import Fate, Invalid, Power
from grader.report.power_json import caught_by
from grader.report.terminal import bar_marks

BAR = 20
MOST_TESTS = 8
MOST_BUGS = 12
MOST_INVALID = 8
# What became of the bugs that were not caught, one and several.
LEFT = {
    "survived": ("bug that no test catches", "bugs that no test catches"),
    "timed_out": (
        "bug whose engine ran out of time in a test; that is not counted as caught",
        "bugs whose engines ran out of time in a test; that is not counted as caught",
    ),
    "crashed": (
        "bug with which the tests' process ended; that is not counted as caught",
        "bugs with which the tests' process ended; that is not counted as caught",
    ),
    "not_run": (
        "bug with which a test could not be run to its end; that is not counted as caught",
        "bugs with which a test could not be run to its end; that is not counted as caught",
    ),
}


def show(power: Power, submission: str, console: Console) -> None:
    """The share caught, by stage and kind; who catches the most; what none of them sees."""
    for note in power.notes:
        is_grave = note.startswith("NOT SANDBOXED")
        console.print(Text(printable(note), "bold red" if is_grave else "yellow"))
    counts = f"{len(power.valid)} valid {'test' if len(power.valid) == 1 else 'tests'}"
    counts += f", {len(power.invalid)} invalid"
    ran = f"  {power.exercise}, {counts}, sandbox: {power.sandbox}"
    console.print(Text.assemble((printable(submission), "bold"), ran), soft_wrap=True)
    console.print()
    share = f"{power.caught} of {len(power.fates)} bugs"
    console.print(Text.assemble("caught ", (share, "bold"), f"  ({power.share:.0%})"))
    for heading, name_of in (("stage", _stage), ("kind", _kind)):
        console.print()
        console.print(_counts(power, heading, name_of, console))
    _tests(power, console)
    _left(power, console)
    _listed("invalid tests, which a correct engine does not always pass:", power.invalid, console)
    _listed("files that pytest cannot read:", power.unread, console)


def _stage(fate: Fate) -> str:
    return fate.bug.stage


def _kind(fate: Fate) -> str:
    return fate.bug.kind


def _counts(power: Power, heading: str, name_of: Callable[[Fate], str], console: Console) -> Table:
    full, empty = bar_marks(console)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in (heading, "", "caught"):
        table.add_column(title, no_wrap=True)
    numbers = Counter(map(name_of, power.fates))
    for name in sorted(numbers) if name_of is _stage else dict(numbers.most_common()):
        caught = sum(fate.catch == "caught" for fate in power.fates if name_of(fate) == name)
        number = numbers[name]
        filled = BAR * caught // number
        filled = max(filled, 1) if caught else 0
        colour = "green" if caught == number else "yellow"
        bar = Text(full * filled, style=colour) + Text(empty * (BAR - filled), style="dim")
        table.add_row(name, bar, f"{caught} of {number}")
    return table


def _tests(power: Power, console: Console) -> None:
    if not power.valid:
        return
    counts = {test: len(caught_by(power, test)) for test in power.valid}
    console.print()
    console.print(Text("valid tests, and how many bugs each catches:"))
    ranked = sorted(power.valid, key=lambda test: (-counts[test], test))
    for test in ranked[:MOST_TESTS]:
        console.print(Text(f"  {counts[test]:>4}  {printable(test)}"), soft_wrap=True)
    if len(ranked) > MOST_TESTS:
        console.print(Text(f"        and {len(ranked) - MOST_TESTS} more", "dim"))


def _left(power: Power, console: Console) -> None:
    """Those that were not caught, by what became of them and by stage."""
    for catch, (one, several) in LEFT.items():
        fates = [fate for fate in power.fates if fate.catch == catch]
        if not fates:
            continue
        console.print()
        console.print(Text(f"{len(fates)} {one if len(fates) == 1 else several}:"))
        for stage, group in groupby(sorted(fates, key=_stage), _stage):
            ids = [fate.bug.id for fate in group]
            more = f" and {len(ids) - MOST_BUGS} more" if len(ids) > MOST_BUGS else ""
            console.print(Text(f"  {stage}, {len(ids)}"))
            names = Text(", ".join(ids[:MOST_BUGS]) + more, "dim")
            console.print(Padding(names, (0, 0, 0, 4), expand=False))
        if why := next((fate.why for fate in fates if fate.why), ""):
            console.print(Text(f"  the first: {printable(why)}", "dim"), soft_wrap=True)


def _listed(heading: str, rows: Iterable[Invalid], console: Console) -> None:
    rows = list(rows)
    if not rows:
        return
    console.print()
    console.print(Text(heading))
    for row in rows[:MOST_INVALID]:
        console.print(Text(f"  {printable(row.test)}"), soft_wrap=True)
        console.print(Text(f"    {printable(row.why)}", "dim"), soft_wrap=True)
    if len(rows) > MOST_INVALID:
        console.print(Text(f"  and {len(rows) - MOST_INVALID} more", "dim"))
