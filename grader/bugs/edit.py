"""From one source to another, in the lines of a unified diff."""

import difflib


def edit(before: str, after: str, context: int) -> list[str]:
    """Without the heading; so many lines around each change."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=context)
    return [line for line in lines if not line.startswith(("---", "+++"))]
