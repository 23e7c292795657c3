"""What a candidate's tests are worth, in the terminal."""

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.kit.worker import printable
from grader.power.measure import Power

BAR = 20
MOST_TESTS = 8
MOST_BUGS = 12
MOST_INVALID = 8


def show(power: Power, submission: str, console: Console) -> None:
    """The share caught, by kind; the tests that catch the most; what none of them sees."""
    for note in power.notes:
        is_grave = note.startswith("NOT SANDBOXED")
        console.print(Text(printable(note), "bold red" if is_grave else "yellow"))
    tests = f"{len(power.valid)} valid tests" + (
        f", {len(power.invalid)} invalid" if power.invalid else ""
    )
    console.print(Text.assemble((printable(submission), "bold"), f"  {power.exercise}, {tests}"))
    console.print()
    console.print(
        Text.assemble(
            "caught ",
            (f"{power.caught} of {len(power.catches)} bugs", "bold"),
            f"  ({power.share:.0%})",
        )
    )
    console.print()
    console.print(_by_kind(power, console))
    _tests(power, console)
    _left(power, console)
    _invalid(power, console)


def _by_kind(power: Power, console: Console) -> Table:
    full, empty = ("#", ".") if console.options.ascii_only else ("━", "─")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("kind", "", "caught"):
        table.add_column(heading, no_wrap=True)
    kinds = Counter(bug.kind for bug in power.bugs)
    for kind, number in kinds.most_common():
        caught = sum(power.catches[b.id] == "caught" for b in power.bugs if b.kind == kind)
        filled = BAR * caught // number
        filled = max(filled, 1) if caught else 0
        colour = "green" if caught == number else "yellow"
        bar = Text(full * filled, style=colour) + Text(empty * (BAR - filled), style="dim")
        table.add_row(kind, bar, f"{caught} of {number}")
    return table


def _tests(power: Power, console: Console) -> None:
    counts = Counter(test for tests in power.by.values() for test in tests)
    if not power.valid:
        return
    console.print()
    console.print(Text("valid tests, and how many bugs each catches:"))
    ranked = sorted(power.valid, key=lambda test: (-counts[test], test))
    for test in ranked[:MOST_TESTS]:
        console.print(Text(f"  {counts[test]:>4}  {printable(test)}"), soft_wrap=True)
    if len(ranked) > MOST_TESTS:
        console.print(Text(f"        and {len(ranked) - MOST_TESTS} more", "dim"))


def _left(power: Power, console: Console) -> None:
    for catch, words in (
        ("survived", "bugs that no test catches"),
        (
            "timed_out",
            "bugs not counted as caught: the engine ran out of time in a test",
        ),
        ("crashed", "bugs not counted as caught: the tests' process ended"),
    ):
        bugs = [bug for bug in power.bugs if power.catches[bug.id] == catch]
        if bugs:
            console.print()
            console.print(Text(f"{len(bugs)} {words}:"))
            for bug in bugs[:MOST_BUGS]:
                console.print(Text(f"  {bug.stage}  {bug.id}", "dim"), soft_wrap=True)
            if len(bugs) > MOST_BUGS:
                console.print(Text(f"  and {len(bugs) - MOST_BUGS} more", "dim"))


def _invalid(power: Power, console: Console) -> None:
    for heading, rows in (
        ("invalid tests, which a correct engine does not pass:", power.invalid),
        ("files that pytest cannot read:", power.unread),
    ):
        if rows:
            console.print()
            console.print(Text(heading))
            for row in rows[:MOST_INVALID]:
                console.print(Text(f"  {printable(row.test)}"), soft_wrap=True)
                console.print(Text(f"    {printable(row.why)}", "dim"), soft_wrap=True)
            if len(rows) > MOST_INVALID:
                console.print(Text(f"  and {len(rows) - MOST_INVALID} more", "dim"))
