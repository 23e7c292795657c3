"""The catalogue in the terminal: a table of bugs, one bug whole, and the matrix in short."""

from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.bugs import Bug, apply, base_source
from grader.bugs.edit import edit
from grader.bugs.matrix import Matrix
from grader.bugs.pairs import twins
from grader.report.terminal import bar_marks

BAR = 20
CONTEXT = 2
DIFFICULTY = {1: "easy", 2: "middling", 3: "hard"}
STYLE = {"+": "green", "-": "red", "@": "cyan"}


def show_bugs(
    bugs: Iterable[Bug], matrix: Matrix, difficulty: dict[str, int], console: Console
) -> None:
    """A line a bug, in the order of the catalogue."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    bugs = list(bugs)
    table.add_column("bug", min_width=max((len(bug.id) for bug in bugs), default=3))
    for heading in ("stage", "difficulty"):
        table.add_column(heading, no_wrap=True)
    table.add_column("kind", overflow="fold")
    table.add_column("cases", justify="right", no_wrap=True)
    listed = 0
    for bug in bugs:
        failed = str(len(matrix.failures[bug.id]))
        table.add_row(
            Text(bug.id, "bold"), bug.stage, DIFFICULTY[difficulty[bug.id]], bug.kind, failed
        )
        listed += 1
    console.print(table)
    console.print()
    console.print(Text(f"{listed} bugs, {len(matrix.cases)} cases", "dim"))


def show_one(
    bug: Bug, exercise: str, failed: dict[str, list[str]], difficulty: int, console: Console
) -> None:
    """`failed` has the cases that fail, by stage."""
    console.print(Text.assemble((bug.id, "bold"), f"  {exercise}, {bug.stage}"))
    console.print(Text(f"{bug.kind}; {DIFFICULTY[difficulty]} to find", "dim"))
    for label, text in (("cause", bug.cause), ("hint", bug.hint), ("met before", bug.report)):
        if text:
            console.print()
            console.print(Text(label, "dim"))
            if text == bug.report:
                console.print(Text(f"  {text}"), soft_wrap=True)  # an address stays whole
            else:
                console.print(Padding(Text(text), (0, 0, 0, 2)))
    console.print()
    console.print(Text(f"the edit, in {bug.function}", "dim"))
    right = base_source(exercise)
    for line in edit(right, apply([bug], right), CONTEXT):
        console.print(Text(f"  {line}", STYLE.get(line[:1], "")), soft_wrap=True)
    console.print()
    total = sum(map(len, failed.values()))
    console.print(Text(f"{total} cases fail" if total else "no case fails", "dim"))
    for stage, names in failed.items():
        if names:
            console.print(Padding(Text(f"{stage}: {', '.join(names)}"), (0, 0, 0, 2)))


def show_summary(matrix: Matrix, bugs: dict[str, Bug], console: Console) -> None:
    """How many cases point at a bug, kind by kind, and what stands out."""
    counts = {bug: len(failed) for bug, failed in matrix.failures.items()}
    most = max([1, *counts.values()])
    full, _ = bar_marks(console)
    console.print(Text(f"{matrix.exercise}: {len(counts)} bugs, {len(matrix.cases)} cases", "bold"))
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("kind", "bugs", "cases that fail for one (median, most)", ""):
        table.add_column(heading, no_wrap=heading != "kind")
    for kind, number in Counter(bug.kind for bug in bugs.values()).most_common():
        of_kind = sorted(counts[bug.id] for bug in bugs.values() if bug.kind == kind)
        middle = of_kind[len(of_kind) // 2]
        bar = full * max(1, BAR * middle // most) if middle else ""
        table.add_row(kind, str(number), f"{middle}, {of_kind[-1]}", Text(bar, "yellow"))
    console.print(table)
    console.print()
    for line in remarks(matrix):
        console.print(Text(line))


def remarks(matrix: Matrix) -> list[str]:
    """What whoever keeps the catalogue and the cases wants to know first."""
    caught = Counter(case for failed in matrix.failures.values() for case in failed)
    unseen = [bug for bug, failed in matrix.failures.items() if not failed]
    alone = [bug for bug, failed in matrix.failures.items() if len(failed) == 1]
    idle = [case for case in matrix.cases if not caught[case]]
    return [
        f"bugs that no case fails for: {', '.join(unseen) or 'none'}",
        f"bugs that one case alone fails for: {', '.join(alone) or 'none'}",
        f"bugs that nothing tells apart: {'; '.join(map(' = '.join, twins(matrix))) or 'none'}",
        f"cases that fail for no bug: {', '.join(idle) or 'none'}",
        f"bugs that do not fail alike each time: {', '.join(matrix.wavering()) or 'none'}",
    ]
