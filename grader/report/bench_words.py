"""What a benchmark found, in words: for the terminal and for the page."""

from collections.abc import Iterator

from grader.bench.benchmark import Benchmark
from grader.bench.contestants import COMPILED, F
from grader.bench.measure import TITLES, UNITS, Climb
from grader.kit.growth import Kind

PROGRAMS = {
    "residual": "h = h + {f}(h @ w), layer after layer, every layer with the same w",
    "chain": "h = h + w, one addition after another",
    "wide": "h = h + {f}(x * w), every branch from the same x",
    "small": "three layers of the residual stack, asked again and again",
}
WORK: dict[Kind, str] = {
    "linear": "linear",
    "superlinear": "above linear",
    "quadratic": "quadratic",
    "steeper": "above quadratic",
    "exponential": "exponential",
    "unknown": "more than can be counted",
}
UNITS_OF_TIME = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def title(benchmark: Benchmark) -> str:
    return f"{benchmark.exercise}: forward and backward, engines side by side"


def heading(workload: str) -> str:
    return TITLES[workload]


def program(benchmark: Benchmark, workload: str) -> str:
    return PROGRAMS[workload].format(f=F[benchmark.exercise])


def duration(seconds: float) -> str:
    """Three digits, and a unit in which they are read at a glance."""
    rounded = float(f"{seconds:.3g}")
    scale, unit = next((u for u in UNITS_OF_TIME if rounded >= u[0]), UNITS_OF_TIME[-1])
    number = seconds / scale
    digits = 2 if number < 10 else 1 if number < 100 else 0
    return f"{number:.{digits}f} {unit}"


def lap(climb: Climb, size: int) -> str:
    """The median, and half the way from the fastest to the slowest."""
    if size not in climb.laps:
        return ""
    return f"{duration(climb.median(size))} ±{climb.spread(size):.0%}"


def time_grows(climb: Climb) -> str:
    if climb.fit is None:
        return "too few sizes to tell"
    unit = UNITS[climb.workload]
    return f"{unit}^{climb.fit}: {climb.shape}"


def work_grows(climb: Climb) -> str:
    if climb.work is not None:
        return WORK[climb.work.kind]
    return "compiled" if climb.engine in COMPILED else "not counted"


def memory(climb: Climb) -> str:
    """Bytes for each operation of the graph."""
    held = climb.bytes_a_step
    return "" if held is None else f"{held:,.0f} B"


def stopped(climb: Climb) -> str:
    """Why, and at which size; else how far it came."""
    if climb.stopped:
        return f"stopped {climb.stopped}"
    return f"reached {max(climb.sizes):,} {UNITS[climb.workload]}" if climb.sizes else ""


def comparison(benchmark: Benchmark, climb: Climb) -> str:
    """How many times the baseline's time, over the rounds, if at the size for all."""
    found = benchmark.against(climb)
    return "" if found is None or found[0] != benchmark.middle(climb.workload) else str(found[1])


def how_far(benchmark: Benchmark, climb: Climb) -> str:
    """With the ratio to the baseline, if it did not come to the size that the table shows it at."""
    found = benchmark.against(climb)
    if found is None or found[0] == benchmark.middle(climb.workload):
        return stopped(climb)
    return f"{stopped(climb)}; at {found[0]:,} {found[1]} x {benchmark.baseline}"


def in_words(benchmark: Benchmark, climb: Climb) -> str:
    """What the table of times has no place for, of an engine on a workload."""
    parts = [how_far(benchmark, climb)]
    if climb.fit is not None:
        parts.append(f"time ~ {time_grows(climb)}")
    if climb.workload != "small":
        parts.append(f"work {work_grows(climb)}")
    if climb.bytes_a_step is not None:
        parts.append(f"{memory(climb)} a step")
    return "; ".join(part for part in parts if part)


def findings(benchmark: Benchmark) -> Iterator[str]:
    """What there is to say first: who takes how long, on the first workload."""
    workload = benchmark.workloads[0]
    base = benchmark.titles[benchmark.baseline]
    for climb in benchmark.of(workload):
        found = benchmark.against(climb)
        if found is not None:
            size, ratio = found
            at = f"{size:,} {UNITS[workload]}"
            name = benchmark.titles[climb.engine]
            where = f"{heading(workload).lower()}, {at}"
            yield f"{name} takes {ratio} times as long as {base} ({where})"


def method(benchmark: Benchmark) -> str:
    laps = "laps" if benchmark.rounds > 1 else "lap"
    return (
        f"Processor time of one thread, rows of {benchmark.width}; "
        f"medians of {benchmark.rounds} {laps}, ± half the way from the fastest to the slowest. "
        f"In each round every engine runs once, right after the others. "
        f"Who takes more than {benchmark.budget:g} s for a run is asked for nothing larger."
    )


def machine(benchmark: Benchmark) -> str:
    cores = f"{benchmark.cores} core{'s' if benchmark.cores > 1 else ''}"
    return f"{benchmark.python}, {benchmark.system}, {cores}, {benchmark.started}"
