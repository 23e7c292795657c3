"""The interviewer's guide: the greater part of an exercise.yaml, and never for a candidate.

Texts are as `grader.report.prose` reads them: paragraphs, `code`, and indented lines of code.
"""

import re
from dataclasses import dataclass
from typing import Any

from grader.kit.strict_yaml import Document, Where

# What exercise.yaml holds for the guide, beside what grading needs of it.
KEYS = ("strong", "questions", "hints", "follow_ups", "debrief", "twists")
REQUIRED = KEYS[:-1]

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks, and what to answer or to hope for."""

    ask: str
    answer: str


@dataclass(frozen=True, slots=True)
class Hint:
    """One push, for somebody who is stuck in a stage."""

    stage: str
    hint: str


@dataclass(frozen=True, slots=True)
class Twist:
    """A new requirement: what the candidate is told, and how many minutes to leave for it."""

    name: str
    statement: str
    minutes: float


@dataclass(frozen=True, slots=True)
class Guide:
    """Everything in the order of the file.

    strong      what a strong answer covers
    questions   what a candidate may ask before starting, and the answers
    hints       from the slightest to the plainest, stage by stage
    follow_ups  what to ask about the finished engine, with model answers
    debrief     what every session ends with
    """

    strong: tuple[str, ...]
    questions: tuple[Question, ...]
    hints: tuple[Hint, ...]
    follow_ups: tuple[Question, ...]
    debrief: tuple[str, ...]
    twists: tuple[Twist, ...]

    def hints_for(self, stage: str) -> list[str]:
        return [hint.hint for hint in self.hints if hint.stage == stage]


def guide_in(document: Document) -> Guide:
    """The guide of an exercise.yaml that has its stages. Raises FixtureError with file:line."""
    for key in REQUIRED:
        if key not in document.data:
            what = f"there is no {key!r}; a guide has {', '.join(REQUIRED)}, and may have twists"
            raise document.error((), what)
    return Guide(
        strong=tuple(_text(document, where) for where in _items(document, "strong")),
        questions=tuple(_question(document, where) for where in _items(document, "questions")),
        hints=tuple(_hint(document, where) for where in _items(document, "hints")),
        follow_ups=tuple(_question(document, where) for where in _items(document, "follow_ups")),
        debrief=tuple(_text(document, where) for where in _items(document, "debrief")),
        twists=tuple(_twist(document, where) for where in _twists(document)),
    )


def _items(document: Document, key: str) -> list[Where]:
    items = document.data[key]
    if not isinstance(items, list) or not items:
        raise document.error((key,), f"{key} must be a list of at least one entry")
    return [(key, index) for index in range(len(items))]


def _question(document: Document, where: Where) -> Question:
    _check_keys(document, where, ("ask", "answer"))
    return Question(_text(document, (*where, "ask")), _text(document, (*where, "answer")))


def _hint(document: Document, where: Where) -> Hint:
    _check_keys(document, where, ("stage", "hint"))
    stage, stages = _text(document, (*where, "stage")), document.data["stages"]
    if stage not in stages:
        what = f"there is no stage {stage!r}; there is {', '.join(stages)}"
        raise document.error((*where, "stage"), what)
    return Hint(stage, _text(document, (*where, "hint")))


def _twists(document: Document) -> list[Where]:
    twists = document.data.get("twists", {})
    if not isinstance(twists, dict):
        raise document.error(("twists",), "twists must be a mapping, the name of each before it")
    return [("twists", name) for name in twists]


def _twist(document: Document, where: Where) -> Twist:
    name = str(where[-1])
    if not _NAME.match(name):
        what = f"the name {name!r} must be small letters, digits and _, a letter first"
        raise document.error(where, what)
    if name in document.data["stages"]:
        raise document.error(where, f"{name} is a stage already; name the twist otherwise")
    _check_keys(document, where, ("statement", "time"))
    minutes = _at(document, (*where, "time"))
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not minutes > 0:
        raise document.error((*where, "time"), f"time must be minutes above 0, not {minutes!r}")
    return Twist(name, _text(document, (*where, "statement")), minutes)


def _check_keys(document: Document, where: Where, keys: tuple[str, ...]) -> None:
    """Exactly these."""
    entry, wanted = _at(document, where), " and ".join(keys)
    what = ".".join(str(part) for part in where if isinstance(part, str))
    if not isinstance(entry, dict):
        raise document.error(where, f"an entry of {what} must be a mapping with {wanted}")
    for key in entry:
        if key not in keys:
            raise document.error((*where, key), f"unknown key {key!r}; here stand {wanted}")
    for key in keys:
        if key not in entry:
            raise document.error(where, f"there is no {key!r}; here stand {wanted}")


def _text(document: Document, where: Where) -> str:
    text = _at(document, where)
    if not isinstance(text, str) or not text.strip():
        what = next(part for part in reversed(where) if isinstance(part, str))
        raise document.error(where, f"{what} must be said in words, not {text!r}")
    return text.rstrip("\n")


def _at(document: Document, where: Where) -> Any:
    found = document.data
    for part in where:
        found = found[part]
    return found
