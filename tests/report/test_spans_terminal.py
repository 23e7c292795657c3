"""Where the milliseconds went, as a table."""

import io

import pytest
from rich.console import Console

from grader.report.spans_terminal import show
from grader.spans import Span, Spans


def shown(spans: Spans) -> list[str]:
    file = io.StringIO()
    show(spans, Console(file=file, width=80, highlight=False))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_each_span_has_its_milliseconds_and_its_share() -> None:
    spans = Spans([Span("reading", 0.2), Span("starting", 0.5, beside=True), Span("asking", 0.4)])
    assert shown(spans) == [
        "",
        "where the time went     ms",
        "reading                200  ━━━━━━━━━━",
        "  beside it: starting  500",
        "asking                 400  ━━━━━━━━━━━━━━━━━━━━",
        "total                  600",
    ]


@pytest.mark.parametrize("spans", [Spans(), Spans([Span("nothing", 0.0)])])
def test_no_time_at_all_is_no_fault(spans: Spans) -> None:
    assert shown(spans)[-1].split() == ["total", "0"]
