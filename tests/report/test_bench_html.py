"""A benchmark as a page: whole, harmless, and the same in words as in the plots."""

import re

from grader.report.bench_html import is_page, page
from tests.report.benchmarks import benchmark
from tests.report.test_guide_html import HOSTILE, read

COLOURS = re.compile(r"--(\w+): #")


def test_it_is_one_page_with_a_plot_and_a_table_for_each_workload() -> None:
    reader = read(page(benchmark()))
    assert reader.names().count("table") == 4
    plots = [given for tag, given in reader.tags if tag == "svg" and given.get("role") == "img"]
    assert [given["aria-label"] for given in plots] == [
        "Time against layers, both logarithmic; the table below has the numbers",
        "Time against requests, both logarithmic; the table below has the numbers",
    ]


def test_it_fetches_nothing_and_runs_nothing() -> None:
    reader = read(page(benchmark()))
    assert not {"script", "img", "link", "iframe"} & set(reader.names())
    assert not any({"src", "href", "onclick"} & set(given) for _, given in reader.tags)


def test_it_is_told_by_how_it_begins() -> None:
    assert is_page(page(benchmark()).encode()[:1024])
    assert not is_page(b'<!doctype html>\n<meta name="generator" content="autograde guide">')


def test_a_hostile_name_is_text() -> None:
    html = page(benchmark(HOSTILE))
    assert "<script>" not in html
    assert HOSTILE in read(html).text


def test_it_says_who_takes_how_long_how_that_grows_and_who_is_not_there() -> None:
    text = " ".join(read(page(benchmark()).replace("</t", " </t")).text.split())
    for said in (
        "reference takes 0.33 (0.33 to 0.33) times as long as PyTorch, eager "
        "(residual stack, 1,000 layers)",
        "reference layers^1.00 (1.00 to 1.00): linear linear 333 B reached 100,000 layers",
        "candidate layers^2.00 (2.00 to 2.00): quadratic quadratic 333 B stopped at 3,000: late",
        "stopped at 3: ValueError: 'no'",
        "Not measured: jax: cannot be imported: No module named 'jax'",
        "linear compiled 333 B",
        "10.0 ms ±8%",
    ):
        assert said in text, said


def test_every_colour_of_day_has_one_of_night() -> None:
    html = page(benchmark())
    day, night = html.split("prefers-color-scheme: dark", 1)
    assert set(COLOURS.findall(day)) == set(COLOURS.findall(night.split("</style>")[0]))
