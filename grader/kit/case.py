"""A case: a request to an engine and what must come of it, read from a fixture file.

The file's path says exercise, visibility and stage:

    fixtures/<exercise>/visible/<stage>/<topic>.yaml     handed to candidates
    fixtures/<exercise>/hidden/<stage>/<topic>.yaml      never handed out
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grader.kit import strict_yaml
from grader.kit.repeat import RepeatError, expanded
from grader.kit.strict_yaml import Document, FixtureError, Where

DEFAULT_SECONDS = 1.0
MOST_SECONDS = 60.0
ERROR_WORDS = ("op", "matrix", "step", "name", "shape", "output")
KEYS = (
    "case", "why", "op", "inputs", "steps", "output", "first", "returns", "raises", "seconds",
    "guards",
)  # fmt: skip
REQUIRED = ("case", "why", "op", "inputs", "steps", "output")
REQUEST_KEYS = ("op", "inputs", "steps", "output")
RESULT_KEYS = {
    "value": {"value"},
    "grad": {"value", "grads"},
    "gradcheck": {"passed", "errors"},
}

Request = dict[str, Any]
Visibility = Literal["visible", "hidden"]

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_CASE_LINE = re.compile(r"^- case: *([a-z][a-z0-9_]*) *(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Returns:
    """The engine must answer with this result, number for number."""

    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Raises:
    """The engine must raise a ValueError whose message contains this word."""

    word: str


@dataclass(frozen=True, slots=True)
class Suite:
    """Where a fixture file belongs, as its path says."""

    exercise: str
    visibility: Visibility
    stage: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question to an engine.

    `first` holds requests that are made just before, in the same process: what they leave behind
    must not show. `steps` are the steps as the file has them, repeat blocks not written out.
    `expects` is None while the expected result has not been filled in.
    """

    name: str
    exercise: str
    visibility: Visibility
    stage: str
    why: str
    request: Request
    first: tuple[Request, ...]
    expects: Returns | Raises | None
    seconds: float
    guards: tuple[str, ...]
    steps: list[Any]
    path: Path
    line: int

    @property
    def requests(self) -> list[Request]:
        """What the engine is asked, in order; the last answer is the one that is judged."""
        return [*self.first, self.request]


def suite_of(path: Path) -> Suite | None:
    """What the path says, or None where it is not the path of a fixture file."""
    if path.suffix != ".yaml" or len(path.parts) < 4:
        return None
    exercise, visibility, stage = path.parts[-4:-1]
    if visibility == "visible":
        return Suite(exercise, "visible", stage)
    return Suite(exercise, "hidden", stage) if visibility == "hidden" else None


def names_in(path: Path) -> list[tuple[str, int]]:
    """(name, line) of each case, found without parsing the file.

    Collecting has to name every case before `-k` chooses a few of them, and parsing is the greater
    part of the work; so it waits. What this misses or misreads, `read_cases` then refuses.
    """
    return _names_in(strict_yaml.text_of(path))


def _names_in(text: str) -> list[tuple[str, int]]:
    found, at, line = [], 0, 1
    for match in _CASE_LINE.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append((match[1], line))
    return found


def read_cases(path: Path) -> list[Case]:
    """Every case of a fixture file, in its order. Raises FixtureError with file:line."""
    text = strict_yaml.text_of(path)
    document = strict_yaml.parse(text, path)
    suite = suite_of(path)
    if suite is None:
        raise document.error((), "the path must be <exercise>/visible|hidden/<stage>/<topic>.yaml")
    if not isinstance(document.data, list):
        raise document.error((), "must be a list of cases, each beginning with `- case: name`")
    cases = [_read_case(document, suite, at) for at in range(len(document.data))]
    named: dict[str, int] = {}
    for at, case in enumerate(cases):
        if case.name in named:
            what = f"the case {case.name} is already on line {named[case.name]}; names are unique"
            raise document.error((at,), what)
        named[case.name] = case.line
    found = dict(_names_in(text))
    for at, case in enumerate(cases):
        if found.pop(case.name, None) != case.line:
            what = (
                f"begin the case with `- case: {case.name}` alone on its line, or it is not found"
            )
            raise document.error((at,), what)
    for name, line in found.items():
        raise FixtureError(path, line, f"`- case: {name}` begins no case here; write it otherwise")
    return cases


def _read_case(document: Document, suite: Suite, at: int) -> Case:
    entry = document.data[at]
    _check_keys(document, at)
    request, first = _requests(document, at)
    return Case(
        name=entry["case"],
        exercise=suite.exercise,
        visibility=suite.visibility,
        stage=suite.stage,
        why=entry["why"],
        request=request,
        first=first,
        expects=_expects(document, at),
        seconds=_seconds(document, at),
        guards=tuple(_words(document, (at, "guards"), entry.get("guards", []))),
        steps=entry["steps"],
        path=document.path,
        line=document.lines[(at,)],
    )


def _check_keys(document: Document, at: int) -> None:
    entry = document.data[at]
    if not isinstance(entry, dict) or next(iter(entry), None) != "case":
        raise document.error((at,), "a case must begin with `- case: name`")
    if not isinstance(entry["case"], str) or not _NAME.match(entry["case"]):
        what = f"the name {entry['case']!r} must be small letters, digits and _, a letter first"
        raise document.error((at, "case"), what)
    for key in entry:
        if key not in KEYS:
            raise document.error((at, key), f"unknown key {key!r}; a case has {', '.join(KEYS)}")
    for key in REQUIRED:
        if key not in entry:
            raise document.error((at,), f"the case {entry['case']} has no {key!r}")
    if not isinstance(entry["why"], str) or not entry["why"].strip():
        raise document.error((at, "why"), "why must say in words what the case is for")


def _requests(document: Document, at: int) -> tuple[Request, tuple[Request, ...]]:
    entry = document.data[at]
    request = {key: entry[key] for key in REQUEST_KEYS}
    request["steps"] = _expand(document, (at, "steps"), entry["steps"])
    first = []
    overrides = entry.get("first", [])
    if not isinstance(overrides, list):
        raise document.error((at, "first"), "first must be a list of requests")
    for index, override in enumerate(overrides):
        where = (at, "first", index)
        if not isinstance(override, dict) or not set(override) <= set(REQUEST_KEYS):
            raise document.error(where, "an earlier request may give op, inputs, steps and output")
        earlier = {**request, **override}
        if "steps" in override:
            earlier["steps"] = _expand(document, where, override["steps"])
        first.append(earlier)
    return request, tuple(first)


def _expand(document: Document, where: Where, steps: Any) -> Any:
    if not isinstance(steps, list):
        return steps  # an engine must refuse it; that may be what the case is about
    try:
        return expanded(steps)
    except RepeatError as error:
        raise document.error(where, str(error)) from None


def _expects(document: Document, at: int) -> Returns | Raises | None:
    entry = document.data[at]
    if "raises" in entry:
        if "returns" in entry:
            raise document.error((at, "raises"), "a case has returns or raises, not both")
        if entry["raises"] not in ERROR_WORDS:
            what = f"raises must be one of {', '.join(ERROR_WORDS)}, not {entry['raises']!r}"
            raise document.error((at, "raises"), what)
        return Raises(entry["raises"])
    if "returns" not in entry:
        return None
    wanted = RESULT_KEYS.get(entry["op"]) if isinstance(entry["op"], str) else None
    if wanted is None:
        raise document.error((at, "returns"), f"op {entry['op']!r} returns nothing; use raises: op")
    if not isinstance(entry["returns"], dict) or set(entry["returns"]) != wanted:
        what = f"a {entry['op']} returns {{{', '.join(sorted(wanted))}}}"
        raise document.error((at, "returns"), what)
    _check_numbers(document, (at, "returns"), entry["returns"])
    return Returns(entry["returns"])


def _check_numbers(document: Document, where: Where, result: Any) -> None:
    if isinstance(result, dict):
        for key, value in result.items():
            _check_numbers(document, (*where, key), value)
    elif isinstance(result, list):
        for index, value in enumerate(result):
            _check_numbers(document, (*where, index), value)
    elif not isinstance(result, int | float):
        raise document.error(where, f"a result is made of numbers, not of {result!r}")


def _seconds(document: Document, at: int) -> float:
    seconds = document.data[at].get("seconds", DEFAULT_SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise document.error((at, "seconds"), f"seconds must be a number, not {seconds!r}")
    if not 0 < seconds <= MOST_SECONDS:
        raise document.error(
            (at, "seconds"), f"seconds must be above 0 and at most {MOST_SECONDS:g}"
        )
    return float(seconds)


def _words(document: Document, where: Where, words: Any) -> Iterator[str]:
    if not isinstance(words, list):
        raise document.error(where, f"{where[-1]} must be a list of words")
    for word in words:
        if not isinstance(word, str):
            raise document.error(where, f"{word!r} is no word")
        yield word


__all__ = ["Case", "FixtureError", "Raises", "Request", "Returns", "Suite", "read_cases"]
