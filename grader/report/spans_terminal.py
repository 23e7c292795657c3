"""Where the milliseconds of a command went, as a table."""

from rich.console import Console
from rich.table import Table

from grader.report.terminal import bar_marks
from grader.spans import Spans

BAR = 30


def show(spans: Spans, console: Console) -> None:
    """What ran beside something else is set in, and no part of the total."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("where the time went", no_wrap=True)
    table.add_column("ms", justify="right")
    table.add_column("", no_wrap=True)
    full, _ = bar_marks(console)
    for span in spans.found:
        share = span.seconds / spans.total if spans.total else 0.0
        told = f"{span.seconds * 1e3:.0f}"
        bar = full * round(BAR * min(share, 1.0))
        if span.beside:
            table.add_row(f"  beside it: {span.name}", told, "", style="dim")
        else:
            table.add_row(span.name, told, bar)
    table.add_row("total", f"{spans.total * 1e3:.0f}", "", style="bold")
    console.print()
    console.print(table)
