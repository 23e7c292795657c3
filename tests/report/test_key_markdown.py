"""The answer key as text and as a page."""

import re
from pathlib import Path

import pytest

from grader.key.make import Key, key_for
from grader.report.key_html import is_page, page
from grader.report.key_markdown import markdown
from grader.session.record import Record
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"
BUGGY = Record("tiny", 7, "buggy", 55, None, ("tanh-from-input", "matmul-with-itself"))


@pytest.fixture(scope="module")
def key() -> Key:
    return key_for(BUGGY)


def test_the_text_is_the_golden_file(key: Key) -> None:
    assert_golden(markdown(key).rstrip("\n"), GOLDEN / "key.md")


def test_a_skeletons_text_has_the_stages_and_the_requirement() -> None:
    text = markdown(key_for(Record("tensor", 7, "skeleton", 55, "no_grad", ())))
    for heading in ("## What each stage asks", "### stage1", "## The new requirement"):
        assert heading in text
    assert "`no_grad`, to be revealed with" in text
    assert "```diff" not in text


def test_the_page_says_the_same_and_loads_nothing(key: Key) -> None:
    html = page(key)
    assert is_page(html.encode())
    for entry in key.entries:
        assert f'id="{entry.bug.id}"' in html
        for name in (*entry.visible, *entry.hidden):
            assert f"<code>{name}</code>" in html
    assert "<script" not in html
    links = set(re.findall(r'(?:href|src)="([^"#][^"]*)"', html))
    assert links == {entry.bug.report for entry in key.entries if entry.bug.report}


def test_what_comes_from_code_is_escaped(key: Key) -> None:
    assert "<lambda" not in page(key)
