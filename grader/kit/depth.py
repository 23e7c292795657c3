"""Deep programs: whether an engine is fast enough is counted first, and timed to confirm it.

A time limit alone grades the machine: a busy one fails what an idle one passes. So a deep case's
work is counted on short programs and foreseen for the whole. More than the case allows is too slow,
whatever the clock says. Less is run, with time to spare; only if the case's own seconds were not
enough does the clock have a say, and again by growth: how many times longer the whole takes than a
quarter of it. That finds what no count shows, lists being copied for instance.
"""

from dataclasses import replace

from grader.kit.case import Case
from grader.kit.engine import (
    Counted,
    Ended,
    Engine,
    Outcome,
    Returned,
    TimedOut,
    TooMuchWork,
)
from grader.kit.growth import (
    KINDS,
    MOST_WORK,
    Growth,
    Point,
    Program,
    deep_program,
    foreseen,
    is_straight,
    kind_of,
)

RATE = 5_000_000  # lines of Python a second: what a slow machine manages
PATIENCE = 5.0
COUNT_SECONDS = 1.0  # at least, for one round of counting: it never takes so long on purpose
QUARTER, STEEPER = 4, 8.0  # a quarter takes a quarter of the time, or with the square a sixteenth
TURNS = 3


def patience_for(engine: Engine, case: Case) -> float:
    """How many times its seconds a case may take until it can be called hanging."""
    is_counted = isinstance(engine, Counted) and deep_program(case) is not None
    # The count, the run, and the runs that confirm a slow one.
    return engine.patience * (4 * PATIENCE if is_counted else 1.0)


def asked(engine: Engine, case: Case) -> Outcome:
    """The outcome of a case, on which the speed of the machine has no bearing if it is deep."""
    program = deep_program(case)
    if program is None or not isinstance(engine, Counted):
        return engine.run(case)
    growth = growth_of(engine, program, max(case.seconds, COUNT_SECONDS))
    if growth == "late":
        return TimedOut(case.seconds)
    if growth == "unknown":
        return engine.run(case)
    if isinstance(growth, Growth) and growth.work > case.seconds * RATE:
        return TooMuchWork(f"too slow: {growth}; {allowance(case, program)}")
    outcome = engine.run(replace(case, seconds=case.seconds * PATIENCE))
    if isinstance(outcome, Returned) and outcome.seconds > case.seconds:
        return confirmed(engine, case, program, outcome)
    return outcome


def allowance(case: Case, program: Program) -> str:
    whole = f"{program.depth:,} {program.unit}"
    return f"{whole} have {case.seconds:g} s, {case.seconds * RATE:,.0f} lines"


def growth_of(
    engine: Counted, program: Program, seconds: float, most: int = MOST_WORK
) -> Growth | Ended:
    """Counted at a few depths; at twice the last one for as long as they lie on no straight line.

    The text is why nothing can be said. No more work than `most` is counted at one depth.
    """
    tried = program.first_depths()
    points, ended = _counted(engine, program, tried, seconds, most)
    tried = tried[: len(points) + 1]
    while not ended and points[-1].depth < program.depth and not _is_told(points):
        tried = [min(2 * points[-1].depth, program.depth)]
        more, ended = _counted(engine, program, tried, seconds, most)
        points += more
    if ended == "most":
        return _beyond(program, points, tried[-1], most)
    if ended:
        return ended
    work = foreseen(points, program.depth)
    return Growth(kind_of(points), tuple(points), program.depth, program.unit, work)


def _is_told(points: list[Point]) -> bool:
    return is_straight(points) or kind_of(points) == "exponential"


def _beyond(program: Program, points: list[Point], depth: int, most: int) -> Growth:
    """Counting ended at a depth: what is said of the whole is the least that it can be."""
    least = [*points, Point(depth, most)]
    curves = [foreseen(some, program.depth) for some in (points, least) if len(some) > 1]
    work = max([most * program.depth / depth, *curves])
    kind = max(kind_of(points), kind_of(least), key=KINDS.index)
    return Growth(kind, tuple(points), program.depth, program.unit, work, depth, most)


def _counted(
    engine: Counted, program: Program, depths: list[int], seconds: float, most: int
) -> tuple[list[Point], Ended]:
    """The first depth is asked twice: what is only done once in a process does not count."""
    requests = [program.at(depth) for depth in (depths[0], *depths)]
    counts = engine.counts(requests, most, seconds)
    points = map(Point, depths, counts.work[1:])
    return list(points), counts.ended


def confirmed(engine: Engine, case: Case, program: Program, outcome: Returned) -> Outcome:
    """An answer that took longer than the case's seconds: was it the machine, or how it grows?"""
    patient = replace(case, seconds=case.seconds * PATIENCE)
    quarter = replace(patient, request=program.at(program.depth // QUARTER))
    short = [engine.run(quarter).seconds for _ in range(TURNS)]
    again = engine.run(patient)
    whole = min(outcome.seconds, again.seconds)
    if whole > case.seconds and whole > STEEPER * min(short):
        return TooMuchWork("too slow: its time grows with the square of depth or faster")
    return outcome
