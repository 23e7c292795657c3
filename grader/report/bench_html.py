"""A benchmark as one page that opens from disk: no network, no scripts."""

from functools import partial

from grader.bench.benchmark import Benchmark
from grader.bench.measure import UNITS
from grader.report import bench_plot, bench_words, template

MARK = b'<meta name="generator" content="autograde benchmark">'
COLOURS = 8  # then they come again, dashed

is_page = partial(template.has_mark, MARK)


def page(benchmark: Benchmark) -> str:
    engines = list(benchmark.titles)
    return template.page(
        "bench.html.j2",
        MARK,
        benchmark=benchmark,
        engines=engines,
        plots={
            workload: bench_plot.plotted(benchmark.of(workload), engines)
            for workload in benchmark.workloads
        },
        plot=bench_plot,
        words=bench_words,
        units=UNITS,
        colours=COLOURS,
    )
