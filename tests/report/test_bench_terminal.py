"""A benchmark in the terminal, as a whole, and in how many columns it fits."""

import io
from pathlib import Path

from rich.console import Console

from grader.report.bench_terminal import show
from tests.golden import assert_golden
from tests.report.benchmarks import benchmark

GOLDEN = Path(__file__).parent / "golden" / "bench.txt"


def shown(width: int) -> str:
    file = io.StringIO()
    show(benchmark(), Console(file=file, width=width, highlight=False))
    return file.getvalue()


def test_the_whole() -> None:
    assert_golden("\n".join(line.rstrip() for line in shown(80).splitlines()), GOLDEN)


def test_no_number_is_cut_short_in_eighty_columns() -> None:
    assert "…" not in shown(80)


def test_a_name_is_no_markup() -> None:
    file = io.StringIO()
    show(benchmark("[red]kim[/red]"), Console(file=file, width=100, highlight=False))
    assert "[red]kim[/red]: stopped at 3,000" in file.getvalue()
