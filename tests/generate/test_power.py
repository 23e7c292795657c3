"""The drawn programs of every seed catch every bug of the tiny catalogue that a judge can see.

What a bug breaks shows in the answers; what it makes slow shows in how often rules run, which is
counted, so that neither a busy machine nor a fast one decides.
"""

from functools import cache
from pathlib import Path

import pytest

from grader.bugs import Bug, apply, base_source, catalogue
from grader.generate import generate
from grader.kit.case import Case
from grader.kit.engine import Engine, EngineFile, InProcessEngine
from grader.kit.judge import judge
from grader.sandbox.forked import CAN_FORK, ForkedEngine
from grader.sandbox.limits import Limits

SEEDS = range(20)
SHARES = 4  # so that the proof runs in parallel
ROOMY = Limits(memory=4 << 30)
BUGS = catalogue("tiny")
# No right judge can see these, and why not.
UNSEEN = {
    "negative-zero": "-0.0 counts as 0.0",
    "compared-after-rounding": "what is left of a right gradient depends on the step of the check",
    "nan-passes": "with the NaN comes an error that is no finite number, so no answer is right",
}
# What takes long in nothing that could be counted, and the profile whose programs are so deep that
# it takes too long.
SLOW = {
    "looks-through-all-steps": "chain_of_turns",
    "values-copied-at-every-step": "value_of_a_chain",
}
MUCH = 4
ENDS_THE_PROCESS = "raised-recursion-limit"
# An engine that works this much more than one operation and one rule for each step does not end.
COUNTED = """

class TooMuchWork(Exception):
    pass


def counted(function):
    def count(*args):
        global left
        left -= 1
        if left < 0:
            raise TooMuchWork
        return function(*args)

    return count


compute, local_gradients, engine = counted(compute), counted(local_gradients), autograd


def autograd(request):
    global left
    left = 1_000 + 20 * len(request["steps"])
    return engine(request)
"""

needs_forks = pytest.mark.skipif(not CAN_FORK, reason="it hangs, or ends the process")


@cache
def drawn(seed: int) -> dict[str, Case]:
    """The programs of a seed by the name of their profile."""
    cases = generate("tiny", seed)
    return {case.name.removeprefix("generated_").rpartition("_")[0]: case for case in cases}


def written(bug: Bug, folder: Path, more: str = "") -> EngineFile:
    file = folder / f"{bug.id}.py"
    file.write_text(apply([bug], base_source("tiny")) + more, encoding="utf-8")
    return EngineFile(file, stands_alone=True)


def passes(engine: Engine, case: Case) -> bool:
    return judge(case, engine.run(case)).status == "passed"


def missing(engine: Engine) -> list[int]:
    """The seeds that do not catch it. What has caught it with one seed is tried first with others.

    The deepest programs take the longest, and their turn comes last.
    """
    order = sorted(drawn(0), key=lambda name: len(drawn(0)[name].request["steps"]))
    gone = []
    for seed in SEEDS:
        cases = drawn(seed)
        by = next((name for name in order if not passes(engine, cases[name])), None)
        if by is None:
            gone.append(seed)
        else:
            order.insert(0, order.pop(order.index(by)))
    return gone


@pytest.mark.parametrize("share", range(SHARES))
def test_the_programs_of_every_seed_catch_every_bug(share: int, tmp_path: Path) -> None:
    answered = [bug for bug in BUGS if bug not in {*UNSEEN, *SLOW, ENDS_THE_PROCESS}]
    engines = {
        bug: InProcessEngine(written(BUGS[bug], tmp_path, COUNTED))
        for bug in answered[share::SHARES]
    }
    missed = {bug: gone for bug, engine in engines.items() if (gone := missing(engine))}
    assert missed == {}, "bugs, and the seeds that do not catch them"


@needs_forks
def test_the_programs_of_every_seed_end_the_process_of_an_engine_that_recurses_too_far(
    tmp_path: Path,
) -> None:
    engine = ForkedEngine(written(BUGS[ENDS_THE_PROCESS], tmp_path), ROOMY)
    try:
        assert [seed for seed in SEEDS if passes(engine, drawn(seed)["chain_of_turns"])] == []
    finally:
        engine.stop()


@needs_forks
@pytest.mark.parametrize(("bug", "profile"), SLOW.items())
def test_what_looks_at_everything_for_each_step_runs_out_of_time(
    bug: str, profile: str, tmp_path: Path
) -> None:
    """With one seed: the programs of the others have as many steps, and as much time.

    A machine may be so fast that the limit is kept; then it still takes far longer than it should.
    """
    deep = [drawn(seed)[profile] for seed in SEEDS]
    assert {case.seconds for case in deep} == {deep[0].seconds}
    assert min(len(case.request["steps"]) for case in deep) == len(deep[0].request["steps"])
    base = tmp_path / "base.py"
    base.write_text(base_source("tiny"), encoding="utf-8")
    engine = ForkedEngine(written(BUGS[bug], tmp_path), ROOMY)
    right = ForkedEngine(EngineFile(base, stands_alone=True), ROOMY)
    try:
        outcome = engine.run(deep[0])
        is_late = judge(deep[0], outcome).status == "timed_out"
        assert is_late or outcome.seconds > MUCH * right.run(deep[0]).seconds
    finally:
        engine.stop()
        right.stop()


@pytest.mark.parametrize("bug", UNSEEN)
def test_what_no_judge_can_see_fails_no_program(bug: str, tmp_path: Path) -> None:
    engine = InProcessEngine(written(BUGS[bug], tmp_path, COUNTED))
    quick = [case for case in drawn(0).values() if case.seconds <= 1]
    assert [case.name for case in quick if not passes(engine, case)] == []


def test_counting_stops_no_right_engine(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_text(base_source("tiny") + COUNTED, encoding="utf-8")
    engine = InProcessEngine(EngineFile(file, stands_alone=True))
    assert [name for name, case in drawn(0).items() if not passes(engine, case)] == []
