"""Everything an interviewer wants to know of a session, put together."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from grader.bugs import Bug, apply, catalogue
from grader.bugs.difficulty import difficulty_of
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.starter import source_without_follow_ups
from grader.bugs.trial import Trial
from grader.guide import Guide, Twist
from grader.key.causes import Causes, causes_in, order_of
from grader.key.smallest import Apart, pairs_of, told_apart
from grader.project import read_exercise
from grader.session.record import Record, read_record

COMMON = 6  # mistakes named for a stage of a skeleton
CONTEXT = 1


@dataclass(frozen=True, slots=True)
class Share:
    """Another bug that some of the same cases fail because of."""

    bug: str
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bug of the session's engine.

    diff     from the engine without it to the engine with it, as unified diff without its heading
    visible  the cases the candidate has that fail because of it; `hidden` those that grading adds
    only     of all these, the ones that fail because of nothing else
    """

    bug: Bug
    difficulty: int
    diff: tuple[str, ...]
    visible: tuple[str, ...]
    hidden: tuple[str, ...]
    only: tuple[str, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class StageAsks:
    """A stage of an engine that is to be written: what it is about, and what often goes wrong."""

    name: str
    about: str
    cases: int
    common: tuple[Bug, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """`entries` are in the order to mend them in; a skeleton has none, it has `stages`."""

    record: Record
    title: str
    entries: tuple[Entry, ...]
    apart: tuple[Apart, ...]
    together: tuple[str, ...]
    concealed: tuple[tuple[str, tuple[str, ...]], ...]
    stages: tuple[StageAsks, ...]
    guide: Guide
    twist: Twist | None


def key_of(session: Path) -> Key:
    """Raises SessionError, ProjectError, FixtureError, MatrixError, EngineError."""
    return key_for(read_record(session))


def key_for(record: Record) -> Key:
    exercise = read_exercise(record.exercise)
    bugs = [catalogue(record.exercise)[bug_id] for bug_id in record.bugs]
    entries: tuple[Entry, ...] = ()
    apart: tuple[Apart, ...] = ()
    causes = Causes({}, (), {})
    if bugs:
        with Trial(record.exercise) as trial:
            causes = causes_in(bugs, trial)
            ordered = order_of(bugs, causes, exercise.order)
            entries = tuple(_entry(bug, bugs, causes, record.exercise) for bug in ordered)
            sharing = [
                (one, other) for one, other in pairs_of(ordered) if causes.shared(one.id, other.id)
            ]
            apart = tuple(told_apart(sharing, trial))
    twists = {twist.name: twist for twist in exercise.guide.twists}
    if record.twist is not None:
        exercise.with_twist(record.twist)
    return Key(
        record=record,
        title=exercise.title,
        entries=entries,
        apart=apart,
        together=causes.together,
        concealed=tuple(causes.hidden.items()),
        stages=() if bugs else _stages(record.exercise),
        guide=exercise.guide,
        twist=twists[record.twist] if record.twist else None,
    )


def _entry(bug: Bug, bugs: list[Bug], causes: Causes, exercise: str) -> Entry:
    failing = set(causes.of(bug.id))
    of_visibility = {
        visibility: tuple(
            case.name
            for case in suite(exercise)
            if case.name in failing and case.visibility == visibility
        )
        for visibility in ("visible", "hidden")
    }
    shares = [
        Share(other.id, tuple(causes.shared(bug.id, other.id))) for other in bugs if other != bug
    ]
    return Entry(
        bug,
        difficulty_of(exercise)[bug.id],
        tuple(_diff(bug, bugs, exercise)),
        of_visibility["visible"],
        of_visibility["hidden"],
        tuple(causes.only(bug.id)),
        tuple(sorted((s for s in shares if s.cases), key=lambda s: (-len(s.cases), s.bug))),
    )


def _diff(bug: Bug, bugs: list[Bug], exercise: str) -> list[str]:
    """How to mend it in the candidate's own file: what stands there, and what should."""
    base = source_without_follow_ups(exercise)
    broken = apply(bugs, base)
    mended = apply([other for other in bugs if other != bug], base)
    lines = difflib.unified_diff(broken.splitlines(), mended.splitlines(), lineterm="", n=CONTEXT)
    return [line for line in lines if not line.startswith(("---", "+++"))]


def _stages(exercise: str) -> tuple[StageAsks, ...]:
    """What there is to write, and the mistakes that the most cases point at."""
    failures = read_matrix(exercise).failures
    cases = suite(exercise)
    return tuple(
        StageAsks(
            stage.name,
            stage.about,
            sum(case.stage == stage.name for case in cases),
            tuple(
                sorted(
                    (bug for bug in catalogue(exercise).values() if bug.stage == stage.name),
                    key=lambda bug: (-len(failures[bug.id]), bug.id),
                )[:COMMON]
            ),
        )
        for stage in read_exercise(exercise).stages.values()
    )
