"""A benchmark in the terminal: a table for each workload, and a line for each engine."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.bench.benchmark import Benchmark
from grader.bench.measure import UNITS
from grader.report import bench_words as words


def show(benchmark: Benchmark, console: Console) -> None:
    console.print(Text(words.title(benchmark), "bold"))
    console.print(Text(words.machine(benchmark), "dim"), soft_wrap=True)
    console.print(Text(words.method(benchmark), "dim"))
    for workload in benchmark.workloads:
        console.print()
        program = f"  {words.program(benchmark, workload)}"
        console.print(Text.assemble((words.heading(workload), "bold"), (program, "dim")))
        console.print(_table(benchmark, workload))
        for climb in benchmark.of(workload):
            told = f"  {climb.engine}: {words.in_words(benchmark, climb)}"
            console.print(Text(told, "dim"), soft_wrap=True)
    if benchmark.absent:
        console.print()
        console.print(Text("not measured", "bold"))
        for why in benchmark.absent.values():
            console.print(Text(f"  {why}", "yellow"), soft_wrap=True)


def _table(benchmark: Benchmark, workload: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(UNITS[workload], no_wrap=True)
    sizes = benchmark.shown(workload)
    for size in sizes:
        table.add_column(f"{size:,}", justify="right", no_wrap=True)
    middle = benchmark.middle(workload)
    at = "" if middle is None else f" at {middle:,}"
    table.add_column(f"x {benchmark.baseline}{at}", no_wrap=True)
    for climb in benchmark.of(workload):
        laps = [words.lap(climb, size) or "-" for size in sizes]
        table.add_row(Text(climb.engine), *laps, words.comparison(benchmark, climb))
    return table
