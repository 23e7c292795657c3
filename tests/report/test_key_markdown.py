"""The answer key as text."""

from pathlib import Path

from grader.report.key_markdown import markdown
from tests.golden import assert_golden
from tests.report.keys import key_of_a_skeleton, key_of_four_bugs

GOLDEN = Path(__file__).parent / "golden"


def test_the_text_is_the_golden_file() -> None:
    key = key_of_four_bugs()
    assert_golden(markdown(key).rstrip("\n"), GOLDEN / "key.md")


def test_in_bold_is_what_fails_for_no_other_reason() -> None:
    key = key_of_four_bugs()
    text = markdown(key)
    own = {name for entry in key.entries for name in entry.only}
    shared = {name for entry in key.entries for name in (*entry.visible, *entry.hidden)} - own
    assert own
    assert all(f"**{name}**" in text for name in own)
    assert shared
    assert not any(f"**{name}**" in text for name in shared)


def test_a_skeletons_text_has_the_stages_the_answer_and_the_requirement() -> None:
    text = markdown(key_of_a_skeleton())
    for heading in ("## What each stage asks", "### stage1", "## The new requirement"):
        assert heading in text
    assert "```python\n" in text
    assert "def unbroadcast(grad, operand):" in text
    assert "`no_grad`, to be revealed with" in text
    assert "```diff" not in text
