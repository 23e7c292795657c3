"""Drawn programs of the tensor exercise: right engines pass them, and wrong ones do not."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest

from grader.arrays import shape_of
from grader.bugs import Bug, apply, base_source, catalogue
from grader.bugs.matrix import read_matrix, suite
from grader.generate import generate
from grader.generate.draft import Draft, Profile
from grader.generate.tensor import PROFILES, TWIST_PROFILES
from grader.generate.tensor_answers import expectation
from grader.generate.tensor_graphs import DEPTH, ORDER, REQUESTS, UPSTREAM
from grader.generate.tensor_rules import REFUSALS, RULES, VALUES
from grader.generate.tensor_stretch import STRETCHES
from grader.kit.case import Case, Request
from grader.kit.engine import Engine, EngineFile, InProcessEngine, driver_of
from grader.kit.judge import judge
from grader.peers import load_peer
from grader.project import FIXTURES, ROOT, read_exercise
from grader.sandbox.forked import CAN_FORK, ForkedEngine
from grader.sandbox.limits import Limits
from tests.cases import case

SEEDS = range(20)
OTHER_SEEDS = range(100, 103)
SHARES = 4  # so that the proof runs in parallel
PROGRAMS = 60
ROOMY = Limits(memory=4 << 30)
MANY_WAYS = 10**9

BUGS = catalogue("tensor")
DRIVER = driver_of("tensor", FIXTURES)
EVERY_PROFILE = {**PROFILES, **UPSTREAM}
# The profiles that a bug of a stage is likely to be caught by, to be tried before the others.
FAMILIES: dict[str, dict[str, Profile]] = {
    "contract": {**VALUES, **REFUSALS},
    "stage1": {**RULES, **REQUESTS},
    "stage2": STRETCHES,
    "stage3": {**ORDER, **DEPTH},
    "upstream": UPSTREAM,
}
# No program has their operations.
OTHER_TWISTS = ("no_grad", "softmax_cross_entropy", "sub_and_mean")
# Bugs that only a scenario shows, and what of a scenario it is that a program has not.
ONLY_BY_SCENARIOS = {
    "integers-may-require-gradients": "dtypes",
    "small-integers-wrap": "dtypes",
    "integers-made-floats": "dtypes",
    "everything-is-float64": "dtypes",
    "wider-dtype-wins": "dtypes",
    "gradients-dtype-wins": "dtypes",
    "grad-starts-as-zeros": "attributes",
    "results-keep-a-gradient": "attributes",
    "shapes-error-of-another-type": "exceptions",
    "needs-both-operands": "constants",
    "first-operand-decides": "constants",
    "last-operand-decides": "constants",
    "frozen-leaf-gets-a-gradient": "constants",
    "every-result-requires-gradients": "constants",
    "backward-on-untracked": "constants",
    "untracked-tensor-gets-a-gradient": "constants",
    "many-elements-accepted": "refusals",
    "gradient-stretched": "refusals",
    "gradient-compared-by-count": "refusals",
    "second-backward-overwrites": "passes",
    "grad-set-by-the-user-is-replaced": "passes",
    "default-argument-is-shared": "passes",
    "second-backward-counts-inner-nodes": "passes",
    "second-backward-is-silent": "passes",
    "leaf-shares-its-gradient": "aliases",
    "constants-recorded": "memory",
    "closure-holds-its-result": "memory",
    "tape-keeps-everything": "memory",
    "graph-kept-after-backward": "memory",
    "only-the-output-is-released": "memory",
    "raised-recursion-limit": "depth",
    "seen-is-a-list": "depth",
}
# It comes to no end where the ways are many. That is seen once a share; else ways are counted.
NEVER_ENDS = "exponential-walk"
SHOWN_BY_PROGRAMS = [
    bug
    for bug in BUGS.values()
    if bug.id not in ONLY_BY_SCENARIOS and bug.stage not in OTHER_TWISTS
]

needs_forks = pytest.mark.skipif(not CAN_FORK, reason="an engine that may hang runs in a fork")


def drafts(seed: int) -> dict[str, Draft]:
    """The first program of each profile, which are among any 60 of the seed."""
    return {
        name: next(profile(Random(f"tensor {seed} {name}")))  # noqa: S311
        for name, profile in EVERY_PROFILE.items()
    }


@cache
def drawn(seed: int) -> dict[str, Case]:
    """The same as cases, with their answers."""
    return {
        name: case(
            name=name,
            exercise="tensor",
            request=draft.request,
            first=draft.first,
            expects=expectation(draft),
            seconds=draft.seconds,
        )
        for name, draft in drafts(seed).items()
    }


def failed(engine: Engine, cases: list[Case]) -> Iterator[str]:
    for each in cases:
        if (verdict := judge(each, engine.run(each))).status != "passed":
            yield f"{each.name}: {verdict.message}"


@contextmanager
def with_bug(bug: Bug, folder: Path) -> Iterator[Engine]:
    """The correct engine with the bug in it; in a fork where it may hang, crash or go by ids."""
    source = folder / "engine.py"
    source.write_text(apply([bug], base_source("tensor")), encoding="utf-8")
    file = EngineFile(source, stands_alone=True, driver=DRIVER)
    if bug.stage != "stage3" and bug.kind != "hash, eq and id":
        yield InProcessEngine(file)
        return
    engine = ForkedEngine(file, ROOMY)
    try:
        yield engine
    finally:
        engine.stop()


# --- right ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_right_engines_pass_every_program(seed: int, tmp_path: Path) -> None:
    """The reference, torch's own autograd, and the engine that the catalogue puts its bugs into."""
    base = tmp_path / "base.py"
    base.write_text(base_source("tensor"), encoding="utf-8")
    cases = list(drawn(seed).values())
    for path in (ROOT / "reference" / "tensor.py", base):
        engine = InProcessEngine(EngineFile(path, stands_alone=True, driver=DRIVER))
        assert list(failed(engine, cases)) == []
    assert list(failed(load_peer("torch", "tensor"), cases)) == []


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_the_programs_of_a_seed_have_one_of_every_profile_among_them(seed: int) -> None:
    asked = [each.request for each in generate("tensor", seed, PROGRAMS, "upstream")]
    assert len(asked) == PROGRAMS
    assert [name for name, each in drawn(seed).items() if each.request not in asked] == []


def test_every_profile_is_tried_early_for_one_stage() -> None:
    assert sorted(EVERY_PROFILE) == sorted(name for some in FAMILIES.values() for name in some)


def test_programs_of_a_seed_are_the_same_for_ever() -> None:
    asked = [[name, d.first, d.request, d.raises, d.seconds] for name, d in drafts(0).items()]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    assert digest[:16] == "93a0d7c4b49b65be"


@pytest.mark.parametrize("name", EVERY_PROFILE)
def test_a_profile_never_runs_out_of_programs(name: str) -> None:
    programs = EVERY_PROFILE[name](Random(name))  # noqa: S311
    texts = {json.dumps(next(programs).request) for _ in range(12)}
    assert len(texts) > 6


# --- what they are made of -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_programs_use_the_exercises_operations_at_every_rank(seed: int) -> None:
    ranks: dict[str, set[int]] = {}
    for each in drafts(seed).values():
        given = {name: len(shape_of(value)) for name, value in each.request["inputs"].items()}
        for _, operation, *operands in each.request["steps"]:
            ranks.setdefault(operation, set()).update(given.get(name, -1) for name in operands)
    assert set(ranks) == set(read_exercise("tensor").operations)
    assert ranks["add"] & ranks["mul"] >= set(range(5))


def test_only_a_twists_programs_have_an_upstream_gradient() -> None:
    with_upstream = {name for name, each in drafts(0).items() if "upstream" in each.request}
    assert with_upstream == set(TWIST_PROFILES["upstream"])
    assert set(TWIST_PROFILES) <= {twist.name for twist in read_exercise("tensor").guide.twists}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_walk_along_every_way_does_not_end(seed: int) -> None:
    quick = [draft.request for draft in drafts(seed).values() if draft.seconds <= 0.5]
    assert max(map(ways, quick)) > MANY_WAYS


def ways(request: Request) -> int:
    """How many there are from the output to an input."""
    to = {request["output"]: 1}
    for name, _, *operands in reversed(request["steps"]):
        for operand in operands:
            to[operand] = to.get(operand, 0) + to.get(name, 0)
    return sum(to.get(name, 0) for name in request["inputs"])


# --- power ---------------------------------------------------------------------------------------


@needs_forks
@pytest.mark.filterwarnings("ignore:The use of .x.T. on tensors")  # that is the bug
@pytest.mark.parametrize("share", range(SHARES))
def test_the_programs_of_every_seed_catch_every_bug_that_a_program_can_show(
    share: int, tmp_path: Path
) -> None:
    seeds = SEEDS[share::SHARES]
    missed = {bug.id: gone for bug in SHOWN_BY_PROGRAMS if (gone := missing(bug, seeds, tmp_path))}
    assert missed == {}


def missing(bug: Bug, seeds: range, folder: Path) -> list[int]:
    """The seeds whose programs do not show the bug. What caught it last is tried first."""
    order = sorted(EVERY_PROFILE, key=lambda name: name not in FAMILIES[bug.stage])
    gone = []
    with with_bug(bug, folder) as engine:
        for seed in seeds[:1] if bug.id == NEVER_ENDS else seeds:
            cases = drawn(seed)
            by = next(failed(engine, [cases[name] for name in order]), "").partition(":")[0]
            if by:
                order = [by, *(name for name in order if name != by)]
            else:
                gone.append(seed)
    return gone


def test_bugs_that_only_scenarios_show_fail_no_program_of_the_suite() -> None:
    programs = {c.name for c in suite("tensor") if not c.is_scenario and c.visibility != "twist"}
    failures = read_matrix("tensor").failures
    wrongly = {bug: sorted(programs & set(failures[bug])) for bug in ONLY_BY_SCENARIOS}
    assert {bug: names for bug, names in wrongly.items() if names} == {}
    assert len(programs) > 80


@needs_forks
@pytest.mark.parametrize("share", range(SHARES))
def test_bugs_that_only_scenarios_show_fail_no_drawn_program_either(
    share: int, tmp_path: Path
) -> None:
    cases = list(drawn(SEEDS[share]).values())
    caught = {}
    for bug_id in list(ONLY_BY_SCENARIOS)[share::SHARES]:
        with with_bug(BUGS[bug_id], tmp_path) as engine:
            # On a busy machine any program may be late.
            lines = [line for line in failed(engine, cases) if "no answer within" not in line]
            caught[bug_id] = lines
    assert {bug_id: said for bug_id, said in caught.items() if said} == {}


def test_what_is_left_out_is_in_the_catalogue() -> None:
    assert set(ONLY_BY_SCENARIOS) <= set(BUGS)
    assert NEVER_ENDS in BUGS
    assert set(OTHER_TWISTS) < {bug.stage for bug in BUGS.values()}
