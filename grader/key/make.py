"""Everything an interviewer wants to know of a session, put together."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.bugs import Bug, apply, catalogue
from grader.bugs.difficulty import difficulty_of
from grader.bugs.edit import edit
from grader.bugs.matrix import read_matrix
from grader.bugs.starter import source_without_follow_ups
from grader.bugs.trial import Trial
from grader.guide import Guide, Twist
from grader.key.causes import Causes, Meeting, asked, causes_in, order_of
from grader.key.smallest import Apart, ApartByCase, by_case, pairs_of, told_apart
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

    diff     from the engine with all bugs to the one without this, unified, without its heading
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
    """A stage of an engine that is to be written: what it is about, and what often goes wrong.

    `functions` are those of the model answer in which it goes wrong, the likeliest first.
    """

    name: str
    about: str
    cases: int
    functions: tuple[str, ...]
    common: tuple[Bug, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """What an interviewer is told.

    entries     the bugs, in the order to mend them in; a skeleton has none
    apart       for bugs that share failing cases, a small program that tells the two apart
    by_cases    such bugs that no small program tells apart
    together    cases that fail only because several bugs meet
    concealed   cases that pass because bugs hide each other
    stages      what there is to write, and `answer` its source; an engine with bugs has neither
    in_twist    mistakes that are often made in the new requirement
    """

    record: Record
    title: str
    entries: tuple[Entry, ...]
    apart: tuple[Apart, ...]
    by_cases: tuple[ApartByCase, ...]
    together: tuple[Meeting, ...]
    concealed: tuple[Meeting, ...]
    stages: tuple[StageAsks, ...]
    answer: str
    guide: Guide
    twist: Twist | None
    in_twist: tuple[Bug, ...]


def key_of(session: Path) -> Key:
    """Raises SessionError, ProjectError, FixtureError, MatrixError, EngineError, BugError."""
    return key_for(read_record(session))


def key_for(record: Record) -> Key:
    exercise = read_exercise(record.exercise)
    if record.twist is not None:
        exercise.with_twist(record.twist)
    twists = {twist.name: twist for twist in exercise.guide.twists}
    has_bugs = bool(record.bugs)
    broken = _broken(record) if has_bugs else _Broken((), (), (), Causes({}, (), ()))
    return Key(
        record=record,
        title=exercise.title,
        entries=broken.entries,
        apart=broken.apart,
        by_cases=broken.by_cases,
        together=broken.causes.together,
        concealed=broken.causes.hidden,
        stages=() if has_bugs else _stages(record.exercise),
        answer="" if has_bugs else source_without_follow_ups(record.exercise),
        guide=exercise.guide,
        twist=twists[record.twist] if record.twist else None,
        in_twist=_common(record.exercise, record.twist) if record.twist else (),
    )


@dataclass(frozen=True, slots=True)
class _Broken:
    """What there is to say of an engine with bugs."""

    entries: tuple[Entry, ...]
    apart: tuple[Apart, ...]
    by_cases: tuple[ApartByCase, ...]
    causes: Causes


def _broken(record: Record) -> _Broken:
    bugs = [catalogue(record.exercise)[bug_id] for bug_id in record.bugs]
    with Trial(record.exercise) as trial:
        causes = causes_in(bugs, trial)
        ordered = order_of(bugs, causes, read_exercise(record.exercise).order)
        pairs = [pair for pair in pairs_of(ordered) if causes.shared(pair[0].id, pair[1].id)]
        apart = told_apart(pairs, trial)
    told = {(each.one, each.other) for each in apart}
    cases = asked(record.exercise)
    return _Broken(
        tuple(_entry(bug, bugs, causes, record.exercise) for bug in ordered),
        tuple(apart),
        tuple(by_case(pair, cases) for pair in pairs if (pair[0].id, pair[1].id) not in told),
        causes,
    )


def _entry(bug: Bug, bugs: list[Bug], causes: Causes, exercise: str) -> Entry:
    visible = {case.name for case in asked(exercise) if case.visibility == "visible"}
    failing = causes.of(bug.id)
    shares = [
        Share(other.id, tuple(causes.shared(bug.id, other.id))) for other in bugs if other != bug
    ]
    return Entry(
        bug,
        difficulty_of(exercise)[bug.id],
        tuple(_diff(bug, bugs, exercise)),
        tuple(name for name in failing if name in visible),
        tuple(name for name in failing if name not in visible),
        tuple(causes.only(bug.id)),
        tuple(sorted((s for s in shares if s.cases), key=lambda s: (-len(s.cases), s.bug))),
    )


def _diff(bug: Bug, bugs: list[Bug], exercise: str) -> list[str]:
    """How to mend it in the candidate's own file: what stands there, and what should."""
    base = source_without_follow_ups(exercise)
    mended = [other for other in bugs if other != bug]
    return edit(apply(bugs, base), apply(mended, base), CONTEXT)


def _stages(exercise: str) -> tuple[StageAsks, ...]:
    """What there is to write, stage by stage."""
    return tuple(
        StageAsks(
            stage.name,
            stage.about,
            sum(case.stage == stage.name for case in asked(exercise)),
            tuple(function for function, _ in _functions(exercise, stage.name).most_common()),
            _common(exercise, stage.name),
        )
        for stage in read_exercise(exercise).stages.values()
    )


def _functions(exercise: str, stage: str) -> Counter[str]:
    """How many of the stage's mistakes the catalogue has in each function."""
    return Counter(bug.function for bug in catalogue(exercise).values() if bug.stage == stage)


def _common(exercise: str, stage: str) -> tuple[Bug, ...]:
    """The mistakes that the most cases point at; the stage may be a new requirement."""
    failures = read_matrix(exercise).failures
    bugs = [bug for bug in catalogue(exercise).values() if bug.stage == stage]
    return tuple(sorted(bugs, key=lambda bug: (-len(failures[bug.id]), bug.id))[:COMMON])
