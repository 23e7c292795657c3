"""A case: a request to an engine and what must come of it, read from a fixture file.

The file's path says exercise, visibility and stage:

    fixtures/<exercise>/visible/<stage>/<topic>.yaml     handed to candidates
    fixtures/<exercise>/hidden/<stage>/<topic>.yaml      never handed out
    fixtures/<exercise>/twists/<twist>/<topic>.yaml      handed out once the twist is revealed

What is no program is a scenario: a function of the Python file beside it, <topic>.py, which drives
the engine and returns plain data. One that yields is a function whose memory is looked at whenever
it does; `memory` says by how many MiB the process may have grown since the first time.
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
MOST_MEMORY = 4096.0
DEEP = 30  # steps, at least
ERROR_WORDS = ("op", "matrix", "step", "name", "shape", "output")
COMMON_KEYS = ("returns", "seconds", "guards")
REQUIRED = ("case", "why", "op", "inputs", "steps", "output")
KEYS = (*REQUIRED, "upstream", "first", "raises", *COMMON_KEYS)
SCENARIO_REQUIRED = ("case", "why", "scenario")
SCENARIO_KEYS = (*SCENARIO_REQUIRED, "given", "memory", *COMMON_KEYS)
REQUEST_KEYS = ("op", "inputs", "steps", "output", "upstream")
RESULT_KEYS = {
    "value": {"value"},
    "grad": {"value", "grads"},
    "gradcheck": {"passed", "errors"},
}

NUMBERS = (int, float)
PLAIN = (*NUMBERS, str, type(None))
PLACES = "<exercise>/visible|hidden|twists/<stage>/<topic>.yaml"

Request = dict[str, Any]
Visibility = Literal["visible", "hidden", "twist"]

FOLDERS: dict[str, Visibility] = {"visible": "visible", "hidden": "hidden", "twists": "twist"}

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_CASE_LINE = re.compile(r"^- case: *([a-z][a-z0-9_]*) *(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Returns:
    """The engine must answer with this result, number for number."""

    result: dict[str, Any]


@dataclass(frozen=True)
class Raises:
    """The engine must raise a ValueError whose message contains this word."""

    word: str


@dataclass(frozen=True)
class Suite:
    """Where a fixture file belongs, as its path says."""

    exercise: str
    visibility: Visibility
    stage: str


@dataclass(frozen=True)
class Case:
    """One question to an engine.

    `first` holds requests that are made just before, in the same process: what they leave behind
    must not show. `steps` are the steps as the file has them, repeat blocks not written out.
    `expects` is None while the expected result has not been filled in. `memory` is in MiB.
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
    memory: float | None = None

    @property
    def is_scenario(self) -> bool:
        return "scenario" in self.request

    @property
    def is_short(self) -> bool:
        """Certainly no deep program."""
        steps = self.request.get("steps")
        return not isinstance(steps, list) or len(steps) < DEEP

    @property
    def requests(self) -> list[Request]:
        """What the engine is asked, in order; the last answer is the one that is judged."""
        return [*self.first, self.request]


def suite_of(path: Path) -> Suite | None:
    """What the path says, or None where it is not the path of a fixture file."""
    if path.suffix != ".yaml" or len(path.parts) < 4:
        return None
    exercise, folder, stage = path.parts[-4:-1]
    visibility = FOLDERS.get(folder)
    return Suite(exercise, visibility, stage) if visibility else None


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
        raise document.error((), f"the path must be {PLACES}")
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
    is_scenario = "scenario" in entry
    request, first = (_scenario(document, at), ()) if is_scenario else _requests(document, at)
    return Case(
        name=entry["case"],
        exercise=suite.exercise,
        visibility=suite.visibility,
        stage=suite.stage,
        why=entry["why"],
        request=request,
        first=first,
        expects=_expects(document, at),
        seconds=_amount(document, (at, "seconds"), DEFAULT_SECONDS, MOST_SECONDS),
        guards=tuple(_words(document, (at, "guards"), entry.get("guards", []))),
        steps=entry.get("steps", []),
        path=document.path,
        line=document.lines[(at,)],
        memory=_amount(document, (at, "memory"), 0.0, MOST_MEMORY) if "memory" in entry else None,
    )


def _check_keys(document: Document, at: int) -> None:
    entry = document.data[at]
    if not isinstance(entry, dict) or next(iter(entry), None) != "case":
        raise document.error((at,), "a case must begin with `- case: name`")
    if not isinstance(entry["case"], str) or not _NAME.match(entry["case"]):
        what = f"the name {entry['case']!r} must be small letters, digits and _, a letter first"
        raise document.error((at, "case"), what)
    is_scenario = "scenario" in entry
    keys = SCENARIO_KEYS if is_scenario else KEYS
    for key in entry:
        if key not in keys:
            what = "a scenario" if is_scenario else "a case"
            raise document.error((at, key), f"unknown key {key!r}; {what} has {', '.join(keys)}")
    for key in SCENARIO_REQUIRED if is_scenario else REQUIRED:
        if key not in entry:
            raise document.error((at,), f"the case {entry['case']} has no {key!r}")
    if not isinstance(entry["why"], str) or not entry["why"].strip():
        raise document.error((at, "why"), "why must say in words what the case is for")


def _scenario(document: Document, at: int) -> Request:
    """The request carries the scenario's code: whoever runs it has no files of ours."""
    entry = document.data[at]
    name, given = entry["scenario"], entry.get("given", {})
    if not isinstance(name, str) or not _NAME.match(name):
        raise document.error((at, "scenario"), f"{name!r} is no name of a function")
    if not isinstance(given, dict):
        raise document.error((at, "given"), "given must be a mapping, an entry for each argument")
    file = document.path.with_suffix(".py")
    try:
        source = strict_yaml.text_of(file)
    except FixtureError as error:
        raise document.error((at, "scenario"), f"the scenario's file: {error}") from None
    if not re.search(rf"^def {name}\(", source, re.MULTILINE):
        raise document.error((at, "scenario"), f"{file.name} beside it defines no {name}")
    return {"scenario": name, "given": given, "source": source}


def _requests(document: Document, at: int) -> tuple[Request, tuple[Request, ...]]:
    entry = document.data[at]
    request = {key: entry[key] for key in REQUEST_KEYS if key in entry}
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
    if "scenario" in entry:
        if not isinstance(entry["returns"], dict):
            raise document.error((at, "returns"), "a scenario returns a mapping")
        _check_leaves(document, (at, "returns"), entry["returns"], PLAIN)
        return Returns(entry["returns"])
    wanted = RESULT_KEYS.get(entry["op"]) if isinstance(entry["op"], str) else None
    if wanted is None:
        raise document.error((at, "returns"), f"op {entry['op']!r} returns nothing; use raises: op")
    if not isinstance(entry["returns"], dict) or set(entry["returns"]) != wanted:
        what = f"a {entry['op']} returns {{{', '.join(sorted(wanted))}}}"
        raise document.error((at, "returns"), what)
    _check_leaves(document, (at, "returns"), entry["returns"], NUMBERS)
    return Returns(entry["returns"])


def _check_leaves(document: Document, where: Where, result: Any, leaves: tuple[type, ...]) -> None:
    if isinstance(result, dict):
        for key, value in result.items():
            _check_leaves(document, (*where, key), value, leaves)
    elif isinstance(result, list):
        for index, value in enumerate(result):
            _check_leaves(document, (*where, index), value, leaves)
    elif not isinstance(result, leaves):
        raise document.error(where, f"a result is made of numbers, not of {result!r}")


def _amount(document: Document, where: Where, default: float, most: float) -> float:
    """Seconds, or MiB."""
    at, key = where
    amount = document.data[at].get(key, default)
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise document.error(where, f"{key} must be a number, not {amount!r}")
    if not 0 < amount <= most:
        raise document.error(where, f"{key} must be above 0 and at most {most:g}")
    return float(amount)


def _words(document: Document, where: Where, words: Any) -> Iterator[str]:
    if not isinstance(words, list):
        raise document.error(where, f"{where[-1]} must be a list of words")
    for word in words:
        if not isinstance(word, str):
            raise document.error(where, f"{word!r} is no word")
        yield word


__all__ = ["Case", "FixtureError", "Raises", "Request", "Returns", "Suite", "read_cases"]
