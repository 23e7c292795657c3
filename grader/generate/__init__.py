"""Hidden programs, drawn by a seed: the same ones for ever.

A profile is one named way of drawing; every profile has its turn before any has its second. Each
program is answered by two sources before anybody is asked it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from grader.arrays import shape_of
from grader.chance import seeded
from grader.generate.draft import Disagreement, Draft, Profile
from grader.kit.case import Case, Raises, Returns
from grader.language import DIALECTS

PROGRAMS = 60
MOST_DRAWS = 10  # one after another that the sources disagree about: then it is not by accident
DEEP = 60  # steps
BEGINNING = Path("generated")


def generate(
    exercise: str, seed: int, programs: int = PROGRAMS, twist: str | None = None
) -> list[Case]:
    """So many programs of an exercise; fewer are the first ones of these.

    A twist is a stage too, where it has programs. Raises Disagreement where the sources part again
    and again, EngineError where the exercise lacks a package.
    """
    kinds = kinds_of(exercise, twist)
    # Which come first is drawn, too: where there are more of them than programs, none is preferred.
    chance = seeded(exercise, seed)
    order = sorted(kinds, key=lambda _: chance.random())
    drafts = {name: kinds[name].profile(seeded(exercise, seed, name)) for name in order[:programs]}
    turns = ((name, turn) for turn in count(1) for name in order)
    return [
        _case(exercise, kinds[name], drafts[name], f"generated_{name}_{turn}", number)
        for number, (name, turn) in enumerate(islice(turns, programs), 1)
    ]


@dataclass(frozen=True, slots=True)
class Kind:
    """A profile, who answers its programs, and the stage of these where the exercise says it."""

    profile: Profile
    expectation: Callable[[Draft], Returns | Raises]
    stage: str | None = None


def kinds_of(exercise: str, twist: str | None = None) -> dict[str, Kind]:
    """By the name of the profile."""
    if exercise == "tiny":
        from grader.generate import tiny, tiny_answers

        return {
            name: Kind(profile, tiny_answers.expectation) for name, profile in tiny.PROFILES.items()
        }
    from grader.generate import tensor, tensor_answers

    answer = tensor_answers.expectation
    kinds = {name: Kind(profile, answer) for name, profile in tensor.PROFILES.items()}
    if twist is not None:
        for name, profile in tensor.TWIST_PROFILES.get(twist, {}).items():
            kinds[name] = Kind(profile, answer, twist)
    return kinds


def _case(exercise: str, kind: Kind, drafts: Iterator[Draft], name: str, number: int) -> Case:
    draft, expects = _answered(drafts, name, kind.expectation)
    return Case(
        name=name,
        exercise=exercise,
        visibility="hidden",
        stage=kind.stage or stage_of(draft, exercise),
        why=kind.profile.__doc__ or "",
        request=draft.request,
        first=draft.first,
        expects=expects,
        seconds=draft.seconds,
        guards=(),
        steps=draft.request["steps"],
        path=BEGINNING,
        line=number,
    )


def _answered(
    drafts: Iterator[Draft], name: str, expectation: Callable[[Draft], Returns | Raises]
) -> tuple[Draft, Returns | Raises]:
    for attempt in count(1):
        draft = next(drafts)
        try:
            return draft, expectation(draft)
        except Disagreement as parting:
            if attempt == MOST_DRAWS:
                raise Disagreement(f"{name}, drawn {attempt} times: {parting}") from None
    raise AssertionError("counting has no end")


def stage_of(draft: Draft, exercise: str) -> str:
    """Where a program belongs, by what it uses."""
    request = draft.request
    if draft.raises:
        return "contract"
    if len(request["steps"]) >= DEEP:
        return "stage3"
    if request["op"] == "value":
        return "contract"
    return "stage2" if _stretches(request, exercise) else "stage1"


def _stretches(request: dict[str, Any], exercise: str) -> bool:
    """Whether an operand of a step other than a matrix product is not of the other one's shape."""
    result_shape = DIALECTS[exercise].result_shape
    shapes = {name: shape_of(value) for name, value in request["inputs"].items()}
    for name, operation, *operands in request["steps"]:
        read = [shapes[operand] for operand in operands]
        if operation != "matmul" and read[0] != read[-1]:
            return True
        shape = result_shape(operation, *read)
        assert shape is not None, "the program is in order"
        shapes[name] = shape
    return False
