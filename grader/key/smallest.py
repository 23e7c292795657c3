"""The smallest programs on which two bugs give different answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

from grader.bugs import Bug
from grader.bugs.matrix import read_matrix
from grader.bugs.pairs import told_apart_by
from grader.bugs.trial import Trial
from grader.kit.case import Case, Request
from grader.kit.engine import Outcome, Raised, Returned
from grader.language import DIALECTS
from grader.project import read_exercise

MOST_PROGRAMS = 1_000
MOST_STEPS = 2
SECONDS = 1.0
FEW_CASES = 3
# The values of each input, from small to large; whole numbers, and no two alike.
TINY = (
    ([[2]], [[3]]),
    ([[2, -1]], [[3, 5]]),
    ([[2], [-1]], [[3], [5]]),
    ([[2, -1]], [[3], [5]]),
    ([[2, -1]], [[3]]),
    ([[2], [-1]], [[3]]),
    ([[2, -1, 4]], [[3], [5]]),
    ([[2, -1], [4, 3]], [[5, 1], [-2, 7]]),
)
TENSOR = (
    (2.0, 3.0),
    ([2.0, -1.0], [3.0, 5.0]),
    ([2.0, -1.0], 3.0),
    ([[2.0, -1.0]], [[3.0], [5.0]]),
    ([[2.0], [-1.0]], [3.0, 5.0]),
    ([[2.0, -1.0], [4.0, 3.0]], [[5.0, 1.0], [-2.0, 7.0]]),
)
VALUES: dict[str, tuple[tuple[Any, Any], ...]] = {"tiny": TINY, "tensor": TENSOR}
# The gradient check of a class is the driver's, so it says no more than the gradients.
OPS = {"tiny": ("grad", "gradcheck"), "tensor": ("grad",)}


@dataclass(frozen=True, slots=True)
class Apart:
    """A request, what a right engine answers, and what an engine with either bug does."""

    one: str
    other: str
    first: tuple[Request, ...]
    request: Request
    right: str
    with_one: str
    with_other: str


@dataclass(frozen=True, slots=True)
class ApartByCase:
    """Two bugs that no small program tells apart, and the shortest cases that do."""

    one: str
    other: str
    cases: tuple[str, ...]


def told_apart(pairs: list[tuple[Bug, Bug]], trial: Trial) -> list[Apart]:
    """For each pair the first program, from small to large, that tells the two apart.

    A pair that no program of the search tells apart is left out.
    """
    left = list(pairs)
    found: dict[tuple[str, str], Apart] = {}
    for first, request in programs(trial.exercise):
        if not left:
            break
        case = case_of(trial.exercise, first, request)
        right = trial.outcome([], case)
        if not isinstance(right, Returned):
            continue
        answers = {
            bug.id: said(trial.outcome([bug], case)) for bug in {b for pair in left for b in pair}
        }
        for one, other in left:
            if answers[one.id] != answers[other.id]:
                found[one.id, other.id] = Apart(
                    one.id,
                    other.id,
                    first,
                    request,
                    said(right),
                    answers[one.id],
                    answers[other.id],
                )
        left = [pair for pair in left if (pair[0].id, pair[1].id) not in found]
    return [found[one.id, other.id] for one, other in pairs if (one.id, other.id) in found]


def by_case(pair: tuple[Bug, Bug], cases: list[Case]) -> ApartByCase:
    """From the matrix. Raises MatrixError."""
    one, other = (bug.id for bug in pair)
    telling = set(told_apart_by(read_matrix(cases[0].exercise), one, other))
    ordered = sorted(
        (case for case in cases if case.name in telling),
        key=lambda case: (case.is_scenario, case.seconds, len(case.steps)),
    )
    return ApartByCase(one, other, tuple(case.name for case in ordered[:FEW_CASES]))


def programs(exercise: str) -> Iterator[tuple[tuple[Request, ...], Request]]:
    """Requests made before, and the request: fewer steps first, then smaller values."""
    count = 0
    for steps in range(MOST_STEPS + 1):
        for values in VALUES[exercise]:
            for request in _requests(exercise, steps, values):
                for first in ((), (request,)) if steps <= 1 else ((),):
                    yield first, request
                    count += 1
                    if count == MOST_PROGRAMS:
                        return


def _requests(exercise: str, steps: int, values: tuple[Any, Any]) -> Iterator[Request]:
    """With one input and with two. Each step uses the one before; a total is added at the end."""
    for number in (1, 2):
        inputs = dict(zip(("x", "w"), values[:number], strict=False))
        for chosen in _steps(exercise, steps, list(inputs)):
            output = chosen[-1][0] if chosen else "x"
            totalled = [*chosen, ["y", "sum", output]]
            for op in OPS[exercise]:
                yield {"op": op, "inputs": inputs, "steps": chosen, "output": output}
                yield {"op": op, "inputs": inputs, "steps": totalled, "output": "y"}


def _steps(exercise: str, number: int, names: list[str]) -> Iterator[list[list[str]]]:
    if not number:
        yield []
        return
    for before in _steps(exercise, number - 1, names):
        known = [*names, *(step[0] for step in before)]
        for operation in read_exercise(exercise).operations:
            arity = DIALECTS[exercise].arity[operation]
            for operands in product(known, repeat=arity):
                if not before or before[-1][0] in operands:
                    yield [*before, ["pq"[len(before)], operation, *operands]]


def pairs_of(bugs: list[Bug]) -> list[tuple[Bug, Bug]]:
    return list(combinations(bugs, 2))


def said(outcome: Outcome) -> str:
    """An answer in a line."""
    match outcome:
        case Returned(result={"value": value, "grads": grads}):
            told = ", ".join(f"d{name} = {grad}" for name, grad in grads.items())
            return f"value {value}, {told}" if told else f"value {value}, no gradients"
        case Returned(result={"passed": passed, "errors": errors}):
            told = ", ".join(f"{name}: {error}" for name, error in errors.items())
            return f"the check {'passes' if passed else 'fails'}, errors {told}"
        case Returned(result=result):
            return f"{result!r}"
        case Raised(kind=kind, message=message):
            return f"{kind}: {message}"
        case _:
            return type(outcome).__name__


def case_of(exercise: str, first: tuple[Request, ...], request: Request) -> Case:
    return Case(
        name="smallest",
        exercise=exercise,
        visibility="hidden",
        stage="stage1",
        why="",
        request=request,
        first=first,
        expects=None,
        seconds=SECONDS,
        guards=(),
        steps=request["steps"],
        path=Path("smallest"),
        line=1,
    )
