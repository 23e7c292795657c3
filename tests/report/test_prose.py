"""A guide's texts, taken to pieces."""

import pytest

from grader.report.prose import Code, Paragraph, blocks

P = Paragraph


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("\n \n", []),
        ("one line", [P(("one line",))]),
        ("one line\n", [P(("one line",))]),
        ("a line\n broken anywhere\nis one", [P(("a line broken anywhere is one",))]),
        ("one\n\ntwo\n\n\nthree", [P(("one",)), P(("two",)), P(("three",))]),
        ("`x`", [P(("", "x", ""))]),
        ("say `x` and `y z`.", [P(("say ", "x", " and ", "y z", "."))]),
        ("`broken\nin two`", [P(("", "broken in two", ""))]),
        ("a single ` stays", [P(("a single ` stays",))]),
        ("``", [P(("``",))]),
        ("    x = 1", [Code("x = 1")]),
        ("    if x:\n        y", [Code("if x:\n    y")]),
        ("    x\n\n    y", [Code("x\n\ny")]),
        ("words:\n    x\nmore", [P(("words:",)), Code("x"), P(("more",))]),
        ("words:\n\n    `x`\n\nmore", [P(("words:",)), Code("`x`"), P(("more",))]),
        ("   three spaces", [P(("three spaces",))]),
    ],
)
def test_a_text_is_paragraphs_and_code(text: str, found: list[Code | Paragraph]) -> None:
    assert blocks(text) == found
