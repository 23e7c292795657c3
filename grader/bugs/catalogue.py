"""Reading the catalogue, and applying its edits to the source of the correct engine."""

import ast
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from grader.kit import strict_yaml
from grader.kit.strict_yaml import Document

HERE = Path(__file__).parent


class BugError(Exception):
    """A bug that does not fit the engine it edits, or a catalogue entry that is not one."""


@dataclass(frozen=True, slots=True)
class Bug:
    """One mistake: in `function` of the correct engine, the text `find` becomes `put`.

    kind    what sort of mistake it is, in the words the catalogue uses
    stage   where a candidate meets it
    cause   one sentence: what is wrong, for the interviewer
    hint    one sentence: what to look at, for the candidate
    report  the public report of the same mistake in another engine, or empty
    """

    id: str
    kind: str
    stage: str
    function: str
    find: str
    put: str
    cause: str
    hint: str
    report: str = ""


KEYS = tuple(field.name for field in fields(Bug))


def base_source(exercise: str) -> str:
    """The correct engine that the catalogue's edits are written against."""
    return (HERE / "engines" / f"{exercise}.py").read_text(encoding="utf-8")


@cache
def catalogue(exercise: str) -> dict[str, Bug]:
    """Every bug of an exercise by its id. Raises FixtureError with file:line."""
    document = strict_yaml.read(HERE / f"{exercise}.yaml")
    bugs: dict[str, Bug] = {}
    for at, entry in enumerate(document.data):
        bug = _read_bug(document, at, entry)
        if bug.id in bugs:
            raise document.error((at,), f"the bug {bug.id} is already in the catalogue")
        bugs[bug.id] = bug
    return bugs


def _read_bug(document: Document, at: int, entry: Any) -> Bug:
    if not isinstance(entry, dict) or not set(entry) <= set(KEYS):
        raise document.error((at,), f"a bug has the keys {', '.join(KEYS)}")
    for key in KEYS:
        if key not in entry and key != "report":
            raise document.error((at,), f"the bug {entry.get('id')!r} has no {key!r}")
        if not isinstance(entry.get(key, ""), str):
            raise document.error((at, key), f"{key} must be text")
    return Bug(**{key: text.strip("\n") for key, text in entry.items()})


def apply(bugs: list[Bug], source: str) -> str:
    """The source with every edit made. Raises BugError unless each fits exactly once."""
    spans = dict(_spans(source))
    for bug in bugs:
        if bug.function not in spans:
            raise BugError(f"{bug.id}: the engine has no function {bug.function}")
        start, end = spans[bug.function]
        body = source[start:end]
        if (count := body.count(bug.find)) != 1:
            raise BugError(f"{bug.id}: its text stands {count} times in {bug.function}, not once")
        at = start + body.index(bug.find)
        source = source[:at] + bug.put + source[at + len(bug.find) :]
        longer = len(bug.put) - len(bug.find)
        for name, (first, last) in spans.items():  # what lies behind the edit moves with it
            spans[name] = (first + longer * (first > at), last + longer * (last > at))
    return source


@lru_cache(maxsize=8)
def _spans(source: str) -> dict[str, tuple[int, int]]:
    """Where the text of each function and class begins and ends, in characters.

    A method has the name of its class and a dot before its own.
    """
    lines = source.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    spans: dict[str, tuple[int, int]] = {}
    pending: list[tuple[str, list[ast.stmt]]] = [("", ast.parse(source).body)]
    for prefix, body in pending:  # grows on the way
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert node.end_lineno is not None
                name = prefix + node.name
                spans.setdefault(name, (starts[node.lineno - 1], starts[node.end_lineno]))
                if isinstance(node, ast.ClassDef):
                    pending.append((f"{name}.", node.body))
    return spans
