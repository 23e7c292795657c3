"""The profile for macOS's sandbox: what is in it, and that it is for macOS only."""

import sys
from pathlib import Path

import pytest

from grader.sandbox import Refused
from grader.sandbox.seatbelt import Seatbelt, profile


@pytest.mark.skipif(sys.platform == "darwin", reason="there it may work")
def test_anywhere_else_it_is_refused() -> None:
    with pytest.raises(Refused, match="for macOS only"):
        Seatbelt()


def test_all_is_denied_but_reading_what_is_shown() -> None:
    text = profile([Path("/hand in/tiny.py")], "/python")
    assert text.splitlines()[:2] == ["(version 1)", "(deny default)"]
    assert '(subpath "/hand in/tiny.py")' in text
    assert '(allow process-exec (literal "/python"))' in text
    assert "network" not in text
    assert text.count("file-write") == 1
    assert text.count("(") == text.count(")")


def test_a_path_cannot_end_its_quotation() -> None:
    text = profile([Path('/a") (allow default) ("')], "/python")
    assert r'(subpath "/a\") (allow default) (\"")' in text
