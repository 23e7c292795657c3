"""Texts that are compared with a file as a whole.

After a change that is meant, `RENEW_GOLDEN=1 pytest tests` writes the files anew; read the diff.
"""

import os
from pathlib import Path

RENEW = "RENEW_GOLDEN"


def assert_golden(text: str, file: Path) -> None:
    """`text` is what `file` holds, line for line."""
    if os.environ.get(RENEW):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8", newline="\n")
    assert file.exists(), f"there is no {file}; {RENEW}=1 writes it"
    assert (text + "\n").splitlines() == file.read_text(encoding="utf-8").splitlines()
