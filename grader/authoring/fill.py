"""Writing expected results into fixture files, leaving every other line as it is."""

import json
import re
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

from grader.kit import strict_yaml
from grader.kit.case import Case, read_cases

WIDTH = 100
PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
NOT_PLAIN = {"true", "false", "null"}
AFTER_RESULT = ("seconds", "guards")

Answer = Callable[[Case], dict[str, Any]]


def filled(
    path: Path, answer: Answer, *, everything: bool, only: Container[str] | None = None
) -> tuple[str, int]:
    """The file's text with results written in, and how many were.

    Cases that expect an error have nothing to fill. With `everything`, results that are there
    already are computed again; `only` those of the cases with these names, if given.
    """
    cases = read_cases(path)
    text = strict_yaml.text_of(path)
    document = strict_yaml.parse(text, path)
    lines = text.splitlines()
    count = 0
    for at in reversed(range(len(cases))):
        entry = document.data[at]
        if "raises" in entry or ("returns" in entry and not everything):
            continue
        if only is not None and cases[at].name not in only:
            continue
        start = document.lines[(at,)] - 1
        end = document.lines[(at + 1,)] - 1 if at + 1 < len(cases) else len(lines)
        end = _without_trailing_gap(lines, start, end)
        keys = {key: document.lines[at, key] - 1 for key in entry}
        before, after = _place(lines, keys, end)
        lines[before:after] = result_lines(answer(cases[at]))
        count += 1
    return "\n".join(lines) + "\n", count


def _without_trailing_gap(lines: list[str], start: int, end: int) -> int:
    """Blank lines and comments before the next case belong to that one."""
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _place(lines: list[str], keys: dict[str, int], end: int) -> tuple[int, int]:
    """Which lines the result takes the place of."""
    if "returns" in keys:
        start = keys["returns"]
        later = min([line for line in keys.values() if line > start] + [end])
        return start, _without_trailing_gap(lines, start, later)
    before = min([keys[key] for key in AFTER_RESULT if key in keys] + [end])
    before = _without_trailing_gap(lines, 0, before)
    return before, before


def result_lines(result: dict[str, Any]) -> list[str]:
    """`returns:` in the files' own style, a level of indentation below `- case:`."""
    lines = ["  returns:"]
    for key, value in result.items():
        if isinstance(value, dict):
            lines.append(f"    {key}:")
            for name, inner in value.items():
                lines += _entry(6, name, inner)
        else:
            lines += _entry(4, key, value)
    return lines


def quoted(key: str) -> str:
    """A name as it must stand in a file."""
    is_plain = PLAIN_KEY.match(key) and key not in NOT_PLAIN
    return key if is_plain else json.dumps(key, ensure_ascii=not key.isprintable())


def _entry(indent: int, key: str, value: Any) -> list[str]:
    start = f"{' ' * indent}{quoted(key)}: "
    whole = start + json.dumps(value)
    if len(whole) <= WIDTH or not isinstance(value, list):
        return [whole]
    pad = " " * (len(start) + 1)
    rows = [json.dumps(row) for row in value]
    lines = [f"{pad}{row}," for row in rows]
    lines[0] = f"{start}[{rows[0]},"
    lines[-1] = lines[-1].removesuffix(",") + "]"
    return lines
