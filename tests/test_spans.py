"""Spans of time: what ran beside others is told, and not added."""

import pytest

from grader.spans import Span, Spans


def test_the_total_is_that_of_what_ran_one_after_the_other() -> None:
    spans = Spans([Span("reading", 0.2), Span("starting", 0.5, beside=True), Span("asking", 0.3)])
    assert spans.total == pytest.approx(0.5)


def test_a_span_is_measured_even_if_what_it_spans_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1.0, 3.5])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    spans = Spans()
    with pytest.raises(KeyError), spans.of("reading", beside=True):
        raise KeyError
    assert spans.found == [Span("reading", 2.5, beside=True)]
