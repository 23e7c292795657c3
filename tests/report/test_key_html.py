"""The answer key as a page."""

import re
from dataclasses import replace

from grader.report.key_html import is_page, page
from tests.report.keys import key_of_a_skeleton, key_of_four_bugs


def test_the_page_has_every_bug_and_every_case() -> None:
    key = key_of_four_bugs()
    html = page(key)
    assert is_page(html.encode())
    for entry in key.entries:
        assert f'id="{entry.bug.id}"' in html
        for name in (*entry.visible, *entry.hidden):
            mark = ' class="own"' if name in entry.only else ""
            assert f"<code{mark}>{name}</code>" in html
    for met in (*key.together, *key.concealed):
        assert f"<code>{met.case}</code>" in html
    for each in key.by_cases:
        for name in each.cases:
            assert f"<code>{name}</code>" in html
    for pair in key.apart:
        assert f"<h3>{pair.one} or {pair.other}?</h3>" in html


def test_it_loads_nothing_and_runs_nothing() -> None:
    key = key_of_four_bugs()
    html = page(key)
    assert "<script" not in html
    links = set(re.findall(r'(?:href|src)="([^"#][^"]*)"', html))
    assert links == {entry.bug.report for entry in key.entries if entry.bug.report}
    assert set(re.findall(r'href="#([^"]*)"', html)) <= set(re.findall(r'id="([^"]*)"', html))


def test_what_comes_from_code_is_escaped() -> None:
    key = key_of_four_bugs()
    (first, *rest) = key.entries
    marked = replace(first, diff=("+    if a < b & c:  # <b>bold</b>",))
    html = page(replace(key, entries=(marked, *rest)))
    assert "if a &lt; b &amp; c:  # &lt;b&gt;bold&lt;/b&gt;" in html
    assert "<b>bold" not in html


def test_a_skeletons_page_has_the_answer() -> None:
    html = page(key_of_a_skeleton())
    assert "A plain answer" in html
    assert "def unbroadcast(grad, operand):" in html
