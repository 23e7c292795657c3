"""Drawn programs of the tiny exercise: right engines pass them, and each is what it says it is."""

import json
from pathlib import Path
from random import Random

import pytest

from grader import language, oracle
from grader.arrays import flat
from grader.authoring.check import twins
from grader.bugs import base_source
from grader.generate import generate, kinds_of
from grader.generate.tiny import PROFILES
from grader.generate.tiny_checks import CHECKS
from grader.generate.tiny_depth import DEPTH
from grader.generate.tiny_refusals import REFUSALS
from grader.generate.tiny_rules import REQUESTS, RULES, SHARING, VALUES
from grader.generate.tiny_stretch import STRETCHES
from grader.kit.case import ERROR_WORDS, Case, Returns
from grader.kit.engine import Engine, EngineFile, InProcessEngine
from grader.kit.judge import judge
from grader.peers import load_peer
from grader.project import ROOT, read_exercise, read_suite

SEEDS = (100, 101)
PEERS = {"torch": "torch", "autograd": "autograd.numpy"}  # and the module that each needs
TOO_DEEP = 2_000  # steps: for what is done entry by entry
LARGEST_TOGETHER = 100.0  # beside larger ones each entry is probed by itself


def failed(engine: Engine, cases: list[Case]) -> list[str]:
    verdicts = [judge(case, engine.run(case)) for case in cases]
    return [f"{v.case.name}: {v.message}" for v in verdicts if v.status != "passed"]


# --- right ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_right_engines_pass_every_program(seed: int, tmp_path: Path) -> None:
    """The reference, and the engine that the catalogue puts its bugs into."""
    base = tmp_path / "base.py"
    base.write_text(base_source("tiny"), encoding="utf-8")
    for path in (ROOT / "reference" / "tiny.py", base):
        engine = InProcessEngine(EngineFile(path, stands_alone=True))
        assert failed(engine, generate("tiny", seed)) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("peer", "module"), PEERS.items())
def test_libraries_agree_with_every_answer(peer: str, module: str, seed: int) -> None:
    pytest.importorskip(module)
    engine = load_peer(peer, "tiny")
    programs = [case for case in generate("tiny", seed) if len(case.request["steps"]) < TOO_DEEP]
    assert len(programs) == len(PROFILES) - 2
    assert failed(engine, programs) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_central_differences_agree_with_every_gradient(seed: int) -> None:
    for case in generate("tiny", seed):
        if not isinstance(case.expects, Returns) or case.request["op"] != "grad":
            continue
        program = language.read(case.request)
        entries = [abs(entry) for value in program.inputs.values() for entry in flat(value)]
        is_even = max(entries) < LARGEST_TOGETHER
        most_work = 0 if is_even else oracle.MOST_WORK
        assert oracle.disagreement(program, case.expects.result["grads"], most_work) == ""


# --- what they are -------------------------------------------------------------------------------


def test_the_profiles_are_those_of_every_theme() -> None:
    themes = (VALUES, REFUSALS, RULES, SHARING, REQUESTS, STRETCHES, DEPTH, CHECKS)
    assert [name for theme in themes for name in theme] == list(PROFILES)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_says_in_one_line_what_it_is_there_for(name: str) -> None:
    why = PROFILES[name].__doc__
    assert why
    assert "\n" not in why
    assert why[:1].islower()


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "input_without_rows"])
def test_a_profile_never_runs_out_of_programs(name: str) -> None:
    drafts = PROFILES[name](Random(name))  # noqa: S311
    texts = {json.dumps([d.request, d.first]) for d, _ in zip(drafts, range(4), strict=False)}
    assert len(texts) > 2


@pytest.mark.parametrize("seed", SEEDS)
def test_no_program_asks_what_another_one_or_a_case_of_the_suite_asks(seed: int) -> None:
    exercise = read_exercise("tiny")
    assert [str(twin) for twin in twins(generate("tiny", seed), read_suite(exercise))] == []


@pytest.mark.parametrize("seed", range(40))
def test_a_refusal_has_one_thing_wrong_whatever_is_drawn(seed: int) -> None:
    for name in REFUSALS:
        draft = next(PROFILES[name](Random(seed)))  # noqa: S311
        problems = list(language.problems(draft.request))
        assert [problem.word for problem in problems] == [draft.raises], name


def test_every_word_of_an_error_is_asked_for() -> None:
    words = {next(PROFILES[name](Random(0))).raises for name in REFUSALS}  # noqa: S311
    assert words == set(ERROR_WORDS)


@pytest.mark.parametrize(
    "theme",
    [VALUES, RULES, SHARING, REQUESTS],
    ids=["values", "rules", "sharing", "requests"],
)
def test_nothing_is_stretched_but_by_the_profiles_for_it(theme: dict[str, object]) -> None:
    """An engine whose rule for stretched operands is missing loses nothing elsewhere."""
    for seed in SEEDS:
        stages = {
            case.stage
            for case in generate("tiny", seed)
            if any(case.name == f"generated_{name}_1" for name in theme)
        }
        assert stages <= {"contract", "stage1"}


@pytest.mark.parametrize("seed", range(40))
def test_the_sources_part_over_no_program(seed: int) -> None:
    kinds = kinds_of("tiny")
    for name in kinds.keys() - DEPTH.keys():
        draft = next(kinds[name].profile(Random(f"{name} {seed}")))  # noqa: S311
        assert kinds[name].expectation(draft) is not None
