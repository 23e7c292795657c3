"""A verdict as text for a person: the fact first, then the program, then the matrices.

ASCII only: a candidate's terminal may be any.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.kit.case import Case, Raises
from grader.kit.compare import Difference, in_words, shape_of
from grader.kit.engine import Frame, Raised, Returned
from grader.kit.judge import Verdict, place_of, printable
from grader.kit.repeat import is_repeat

MOST_ROWS = 10
MOST_STEPS = 24
MOST_WIDTH = 100
LEFT_OUT = "..."


def failure(verdict: Verdict) -> str:
    """The whole report of a case that did not pass; its first line is the fact."""
    case = verdict.case
    blocks = [
        [f"{verdict.status.replace('_', ' ')}: {verdict.message}"],
        [f"{relative(case.path)}:{case.line}: {case.name}", f"why: {case.why}"],
        program(case),
    ]
    blocks += [matrices(verdict, part) for part in wrong_parts(verdict)]
    if isinstance(verdict.outcome, Raised) and verdict.status != "passed":
        blocks.append(frames(verdict.outcome.frames))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def relative(path: Path) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)


# --- the program ---------------------------------------------------------------------------------


def program(case: Case) -> list[str]:
    """The request as one would write it by hand, deep programs with their repeat blocks."""
    lines = [f"{case.request['op']} of {case.request['output']}, where"]
    if case.first:
        asked = ", ".join(str(request["op"]) for request in case.first)
        lines[0] = f"after {asked} in the same process, " + lines[0]
    inputs = case.request["inputs"]
    if isinstance(inputs, dict):
        for name, value in inputs.items():
            lines += assignment(f"  {name} = ", value)
    else:
        lines.append(f"  inputs = {inputs!r}")
    steps = case.steps if isinstance(case.steps, list) else [case.steps]
    written = [line for step in steps for line in written_step(step)]
    if len(written) > MOST_STEPS:
        half = MOST_STEPS // 2
        left_out = f"  {LEFT_OUT} {len(written) - 2 * half} steps {LEFT_OUT}"
        written = [*written[:half], left_out, *written[-half:]]
    return lines + written


def assignment(start: str, value: Any) -> list[str]:
    """A matrix by rows under one another, anything else as it is."""
    shape = shape_of(value)
    if shape is None or len(shape) != 2 or len(value) == 1:
        return [clipped(f"{start}{value!r}")]
    rows = [", ".join(row) for row in columns([[number(x) for x in row] for row in value])]
    rows = rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 1], LEFT_OUT]
    pad = " " * len(start)
    lines = [f"{start if at == 0 else pad}[{row}]" for at, row in enumerate(rows)]
    return [clipped(line) for line in lines]


def written_step(step: Any) -> Iterator[str]:
    if is_repeat(step):
        block = step["repeat"]
        starts = ", ".join(f"{name} = {outer}" for name, outer in block["carry"].items())
        yield f"  {starts}, then {block['times']} times:"
        for inner in block["steps"]:
            yield from ("  " + line for line in written_step(inner))
    elif isinstance(step, list) and len(step) > 1 and all(isinstance(word, str) for word in step):
        yield f"  {step[0]} = {step[1]}({', '.join(step[2:])})"
    else:
        yield f"  {step!r}"


# --- expected beside got -------------------------------------------------------------------------


def wrong_parts(verdict: Verdict) -> list[tuple[str, ...]]:
    """The parts of the result that are shown: ("value",), ("grads", "b"), ..."""
    parts: dict[tuple[str, ...], None] = {}
    for difference in verdict.differences:
        keys = [key for key in difference.where[:2] if isinstance(key, str)]
        parts[tuple(keys)] = None
    return list(parts)


def matrices(verdict: Verdict, part: tuple[str, ...]) -> list[str]:
    """One part of the result, expected and got side by side, with the wrong entries marked."""
    if isinstance(verdict.case.expects, Raises) or verdict.case.expects is None:
        return []
    if not isinstance(verdict.outcome, Returned):
        return []
    expected = at(verdict.case.expects.result, part)
    actual = at(verdict.outcome.result, part)
    here = [d for d in verdict.differences if d.where[: len(part)] == part]
    wrong = {d.where[len(part) :] for d in here}
    if shape_of(expected) is None or len(shape_of(expected) or ()) != 2:
        return [f"{place_of(part)}: expected {expected!r}, got {clipped(repr(actual))}"]
    left = grid(expected, set(), "expected")
    right = grid(actual, wrong, "got")
    width = max(map(len, left))
    right += [""] * (len(left) - len(right))
    left += [""] * (len(right) - len(left))
    title = [f"{place_of(part)}, {in_words(shape_of(expected))}:"]
    return title + [
        clipped(f"  {a:<{width}}    {b}".rstrip()) for a, b in zip(left, right, strict=True)
    ]


def at(result: Any, part: tuple[str, ...]) -> Any:
    for key in part:
        result = result.get(key) if isinstance(result, dict) else None
    return result


def grid(value: Any, wrong: set[tuple[str | int, ...]], title: str) -> list[str]:
    """The rows of a matrix, wrong entries as >x<; only the rows around the first wrong one."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        return [title, clipped(printable(repr(value)))]
    cells = [
        [f">{number(x)}<" if (i, j) in wrong else f" {number(x)} " for j, x in enumerate(row)]
        for i, row in enumerate(value)
    ]
    rows = [" ".join(row) for row in columns(cells)]
    first = min((where[0] for where in wrong if where and isinstance(where[0], int)), default=0)
    start = max(0, min(first - 1, len(rows) - MOST_ROWS))
    shown = rows[start : start + MOST_ROWS]
    above = [f"{LEFT_OUT} {start} rows"] if start else []
    below = len(rows) - start - len(shown)
    return [title, *above, *shown, *([f"{LEFT_OUT} {below} rows"] if below else [])]


def columns(cells: list[list[str]]) -> list[list[str]]:
    """Cells padded to the width of their column."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=False)]
    return [
        [
            cell.rjust(width)
            for cell, width in zip(row, [*widths, *map(len, row[len(widths) :])], strict=False)
        ]
        for row in cells
    ]


def number(value: Any) -> str:
    return printable(repr(value))


def clipped(line: str) -> str:
    return line if len(line) <= MOST_WIDTH else line[: MOST_WIDTH - len(LEFT_OUT)] + LEFT_OUT


def frames(own: tuple[Frame, ...]) -> list[str]:
    """The way to the exception through the engine's own code."""
    if not own:
        return []
    lines = ["raised in"]
    for frame in own:
        lines.append(printable(f"  {frame.file}:{frame.line} in {frame.function}"))
        if frame.code:
            lines.append(printable(f"    {frame.code}"))
    return lines


__all__ = ["Difference", "failure", "program"]
