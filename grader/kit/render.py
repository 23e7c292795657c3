"""A verdict as text for a person: the fact first, then the program, then the matrices.

What is said here is ASCII, since a candidate's terminal may be any; what others wrote, a fixture or
an engine's message, stays as it is but for control characters.
"""

import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from grader.kit.case import Case, Returns
from grader.kit.compare import Where, in_words, shape_of, shown
from grader.kit.engine import Frame, Raised, Returned
from grader.kit.judge import Verdict, part_of, place_of
from grader.kit.repeat import is_repeat
from grader.kit.worker import printable

MOST_ROWS = 10
MOST_COLUMNS = 12
MOST_NUMBER = 24
MOST_STEPS = 24
MOST_CODE = 40
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
    parts = dict.fromkeys(part_of(difference.where) for difference in verdict.differences)
    blocks += [matrices(verdict, part) for part in parts]
    if isinstance(verdict.outcome, Raised) and verdict.status != "passed":
        blocks.append(frames(verdict.outcome.frames))
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks if block)


def relative(path: Path) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)


# --- the program ---------------------------------------------------------------------------------


def program(case: Case) -> list[str]:
    """The request as one would write it by hand, deep programs with their repeat blocks."""
    if case.is_scenario:
        return scenario(case)
    lines = [f"{case.request['op']} of {case.request['output']}{weighted(case.request)}, where"]
    if case.first:
        asked = ", ".join(str(request["op"]) for request in case.first)
        lines[0] = f"after {asked} in the same process, " + lines[0]
    lines[0] = clipped(lines[0])
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


def scenario(case: Case) -> list[str]:
    """What it was given, and its code."""
    given = ", ".join(f"{name}={value!r}" for name, value in case.request["given"].items())
    name = case.request["scenario"]
    lines = [clipped(f"{name}({given}), of {relative(case.path.with_suffix('.py'))}:")]
    code = code_of(name, case.request["source"])
    if len(code) > MOST_CODE:
        code = [*code[:MOST_CODE], f"    {LEFT_OUT}"]
    return [*lines, *(f"  {line}".rstrip() for line in code)]


def code_of(function: str, source: str) -> list[str]:
    """The lines of a function at the top level of a module."""
    lines = source.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"def {function}("))
    rest = range(start + 1, len(lines))
    end = next((at for at in rest if lines[at][:1] not in ("", " ", ")", "#")), len(lines))
    return "\n".join(lines[start:end]).rstrip().splitlines()


def assignment(start: str, value: Any) -> list[str]:
    """A matrix by rows under one another, anything else as it is."""
    shape = shape_of(value)
    if shape is None or len(shape) != 2 or len(value) == 1:
        return [clipped(f"{start}{value!r}")]
    rows = [", ".join(row) for row in aligned([[number(x) for x in row] for row in value])]
    rows = rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 1], LEFT_OUT]
    pad = " " * len(start)
    lines = [f"{start if at == 0 else pad}[{row}]" for at, row in enumerate(rows)]
    return [clipped(line) for line in lines]


def weighted(request: dict[str, Any]) -> str:
    """What the gradients start from, where it is not one."""
    return f" with upstream {request['upstream']!r}" if "upstream" in request else ""


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


def matrices(verdict: Verdict, part: Where) -> list[str]:
    """One part of the result, expected and got side by side, with the wrong entries as >x<."""
    if not isinstance(verdict.case.expects, Returns) or not isinstance(verdict.outcome, Returned):
        return []
    expected = at(verdict.case.expects.result, part)
    actual = at(verdict.outcome.result, part)
    shape = shape_of(expected)
    if shape is None or len(shape) != 2:
        return [clipped(f"{place_of(part)}: expected {shown(expected)}, got {shown(actual)}")]
    wrong = {d.where[len(part) :] for d in verdict.differences if part_of(d.where) == part}
    first = min((where for where in wrong if len(where) == 2), default=(0, 0))
    rows = span(int(first[0]), shape[0], MOST_ROWS)
    for most in range(MOST_COLUMNS, 0, -1):
        columns = span(int(first[1]), shape[1], most)
        if shape_of(actual) == shape:
            right = grid(actual, rows, columns, wrong)
        else:
            right = whole(actual, most)
        lines = beside(grid(expected, rows, columns, set()), right)
        if max(map(len, lines)) <= MOST_WIDTH:
            break
    title = f"{place_of(part)}, {in_words(shape)}{only(rows, shape[0], 'row')}"
    title += only(columns, shape[1], "column")
    return [clipped(f"{title}:"), *map(clipped, lines)]


def at(result: Any, part: Where) -> Any:
    for key in part:
        result = result.get(key) if isinstance(result, dict) else None
    return result


def span(wanted: int, size: int, most: int) -> range:
    """At most so many of the indices up to `size`, the wanted one among them."""
    start = max(0, min(wanted - 1, size - most))
    return range(start, min(size, start + most))


def only(shown: range, size: int, what: str) -> str:
    return "" if len(shown) == size else f", {what} {shown.start} to {shown.stop - 1}"


def grid(matrix: Any, rows: range, columns: range, wrong: set[Where]) -> list[str]:
    """Those rows and columns of a matrix, aligned."""
    cells = [
        [
            f">{number(matrix[i][j])}<" if (i, j) in wrong else f" {number(matrix[i][j])} "
            for j in columns
        ]
        for i in rows
    ]
    return [" ".join(row) for row in aligned(cells)]


def whole(value: Any, most: int) -> list[str]:
    """What has another shape than it should have, as much of it as there is room for."""
    shape = shape_of(value)
    if shape is None or len(shape) != 2:
        return ["nothing" if value is None else shown(value)]
    lines = grid(value, span(0, shape[0], MOST_ROWS), span(0, shape[1], most), set())
    return [f"{line}{LEFT_OUT if shape[1] > most else ''}" for line in lines]


def beside(expected: list[str], actual: list[str]) -> list[str]:
    width = max(map(len, [*expected, "expected"]))
    pairs = zip_longest(["expected", *expected], ["got", *actual], fillvalue="")
    return [f"  {left:<{width}}    {right}".rstrip() for left, right in pairs]


def aligned(cells: list[list[str]]) -> list[list[str]]:
    """Cells padded to the width of their column."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [[cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in cells]


def number(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= MOST_NUMBER else text[:MOST_NUMBER] + LEFT_OUT


def clipped(line: str) -> str:
    line = printable(line)
    return line if len(line) <= MOST_WIDTH else line[: MOST_WIDTH - len(LEFT_OUT)] + LEFT_OUT


def frames(own: tuple[Frame, ...]) -> list[str]:
    """The way to the exception through the engine's own code."""
    if not own:
        return []
    lines = ["raised in"]
    for frame in own:
        lines.append(f"  {frame.file}:{frame.line} in {frame.function}")
        if frame.code:
            lines.append(f"    {frame.code}")
    return lines
