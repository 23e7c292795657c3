"""Where each bug and each case stands in a drawing of the matrix."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from grader.bugs import Bug
from grader.bugs.matrix import Matrix
from grader.kit.case import Case


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one kind, or columns of one stage: those from `start` up to `end`."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Bugs as rows, cases as columns; `failures` are (row, column, how)."""

    bugs: tuple[Bug, ...]
    cases: tuple[Case, ...]
    kinds: tuple[Group, ...]
    stages: tuple[Group, ...]
    failures: tuple[tuple[int, int, str], ...]


def layout(matrix: Matrix, bugs: dict[str, Bug], cases: list[Case]) -> Layout:
    """Kinds in the order of their bugs' stages, on average; in a kind, what fails most first."""
    order = {stage: at for at, stage in enumerate(dict.fromkeys(case.stage for case in cases))}
    stages: dict[str, list[int]] = {}
    for bug in bugs.values():
        stages.setdefault(bug.kind, []).append(order.get(bug.stage, len(order)))
    place = {kind: fmean(found) for kind, found in stages.items()}
    rows = sorted(
        bugs.values(), key=lambda b: (place[b.kind], b.kind, -len(matrix.failures[b.id]), b.id)
    )
    columns = [case for case in cases if case.name in set(matrix.cases)]
    row = {bug.id: at for at, bug in enumerate(rows)}
    column = {case.name: at for at, case in enumerate(columns)}
    failures = [
        (row[bug], column[case], how)
        for bug, failed in matrix.failures.items()
        for case, how in failed.items()
    ]
    return Layout(
        tuple(rows),
        tuple(columns),
        _groups([bug.kind for bug in rows]),
        _groups([case.stage for case in columns]),
        tuple(sorted(failures)),
    )


def _groups(names: list[str]) -> tuple[Group, ...]:
    groups, start = [], 0
    for name, members in groupby(names):
        end = start + len(list(members))
        groups.append(Group(name, start, end))
        start = end
    return tuple(groups)


HOWS = ("wrong", "raised", "timed_out", "crashed", "other")


def in_words(failed: Mapping[str, str]) -> dict[str, list[str]]:
    """The cases that fail, by how; wrong answers, whatever they are, stand together."""
    words: dict[str, list[str]] = {}
    for case, signature in failed.items():
        word = "wrong" if signature.startswith("wrong ") else signature.replace("_", " ")
        words.setdefault(word, []).append(case)
    return words


def how_of(signature: str) -> str:
    """The first word of a signature, as far as a drawing has a colour for it."""
    word = signature.split(" ", maxsplit=1)[0]
    return word if word in HOWS else "other"
