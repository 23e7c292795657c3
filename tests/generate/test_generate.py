"""From a seed to cases: the same ones for ever, each answered by two sources, each in its stage."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

from grader import generate as generating
from grader.generate import MOST_DRAWS, PROGRAMS, Kind, generate, kinds_of, stage_of
from grader.generate.draft import Disagreement, Draft
from grader.kit.case import Case, Returns

TINY = kinds_of("tiny")
MANY = 2 * len(TINY) + 5


def asked(cases: list[Case]) -> str:
    """What an engine sees of them."""
    return json.dumps([[case.name, case.requests, case.seconds] for case in cases])


# --- the same for ever ---------------------------------------------------------------------------


def test_a_seed_has_the_same_programs_on_every_machine_and_in_every_version() -> None:
    digest = hashlib.sha256(asked(generate("tiny", 7)).encode()).hexdigest()
    assert digest[:16] == "4bd201a532259c19"


def test_other_seeds_have_other_programs() -> None:
    texts = {
        json.dumps(case.requests)
        for seed in range(3)
        for case in generate("tiny", seed)
        if case.stage in ("stage1", "stage2")
    }
    assert len(texts) == 3 * sum(case.stage in ("stage1", "stage2") for case in generate("tiny", 0))


@pytest.mark.parametrize("fewer", [0, 1, 10, PROGRAMS])
def test_fewer_programs_are_the_first_ones_of_more(fewer: int) -> None:
    assert asked(generate("tiny", 3, fewer)) == asked(generate("tiny", 3, MANY)[:fewer])


# --- which, and how many -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_every_profile_has_its_turn_with_every_seed(seed: int) -> None:
    assert len(TINY) <= PROGRAMS
    names = [case.name for case in generate("tiny", seed, len(TINY))]
    assert sorted(names) == sorted(f"generated_{profile}_1" for profile in TINY)


def test_no_profile_is_ahead_of_another_by_more_than_one_turn() -> None:
    turns = [int(case.name.rpartition("_")[2]) for case in generate("tiny", 0, MANY)]
    assert turns == [1] * len(TINY) + [2] * len(TINY) + [3] * 5


def test_where_not_all_profiles_have_a_turn_the_seed_draws_which() -> None:
    first = [{case.name for case in generate("tiny", seed, 5)} for seed in range(4)]
    assert len(set.union(*first)) > 10


def test_a_program_is_a_hidden_case_with_a_name_a_reason_and_a_number() -> None:
    cases = generate("tiny", 5, MANY)
    assert [case.line for case in cases] == list(range(1, MANY + 1))
    assert len({case.name for case in cases}) == MANY
    assert {(case.exercise, case.visibility) for case in cases} == {("tiny", "hidden")}
    for case in cases:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", case.name)
        assert case.why
        assert case.expects is not None


def test_only_who_has_a_new_requirement_is_asked_for_it() -> None:
    pytest.importorskip("torch")
    assert "upstream" not in {kind.stage for kind in kinds_of("tensor").values()}
    assert "upstream" in {kind.stage for kind in kinds_of("tensor", "upstream").values()}
    assert kinds_of("tensor", "no_grad").keys() == kinds_of("tensor").keys()


# --- stages --------------------------------------------------------------------------------------

X = {"x": [[1.0, 2.0]], "k": [[3.0]], "w": [[1.0], [2.0]]}
SUM = ["y", "sum", "x"]


@pytest.mark.parametrize(
    ("op", "steps", "raises", "stage"),
    [
        ("value", [["y", "mul", "x", "k"]], "", "contract"),
        ("grad", [["y", "matmul", "x", "x"]], "shape", "contract"),
        ("grad", [SUM], "", "stage1"),
        ("gradcheck", [["y", "matmul", "x", "w"]], "", "stage1"),
        ("grad", [["z", "add", "x", "x"], ["y", "sum", "z"]], "", "stage1"),
        ("grad", [["z", "sub", "k", "x"], ["y", "sum", "z"]], "", "stage2"),
        (
            "gradcheck",
            [["m", "mean", "x"], ["z", "mul", "x", "m"], ["y", "sum", "z"]],
            "",
            "stage2",
        ),
        ("grad", [[str(n), "add", "x", "k"] for n in range(60)], "", "stage3"),
        ("value", [[str(n), "tanh", "x"] for n in range(60)], "", "stage3"),
        ("grad", [[str(n), "tanh", "x"] for n in range(59)], "", "stage1"),
    ],
)
def test_a_program_belongs_where_what_it_uses_is_asked_for(
    op: str, steps: Any, raises: str, stage: str
) -> None:
    request = {"op": op, "inputs": X, "steps": steps, "output": "y"}
    assert stage_of(Draft(request, raises=raises), "tiny") == stage


def test_every_stage_has_programs() -> None:
    stages = [case.stage for case in generate("tiny", 0)]
    counts = {stage: stages.count(stage) for stage in sorted(set(stages))}
    assert counts == {"contract": 27, "stage1": 20, "stage2": 9, "stage3": 4}


# --- sources that part ---------------------------------------------------------------------------


def numbered(draw: Random) -> Iterator[Draft]:
    """counts what is drawn"""
    for number in count(1):
        yield Draft({"op": "value", "inputs": {"x": [[number]]}, "steps": [], "output": "x"})


def parting(until: int) -> Callable[[Draft], Returns]:
    """The sources part over what is drawn before `until`."""

    def expectation(draft: Draft) -> Returns:
        number = draft.request["inputs"]["x"][0][0]
        if number < until:
            raise Disagreement(f"one says {number}")
        return Returns({"value": [[number]]})

    return expectation


def test_a_program_that_the_sources_part_over_is_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = {"numbered": Kind(numbered, parting(until=MOST_DRAWS))}
    monkeypatch.setattr(generating, "kinds_of", lambda *_: kinds)
    cases = generate("tiny", 0, 3)
    assert [case.request["inputs"]["x"] for case in cases] == [[[10]], [[11]], [[12]]]
    assert [case.name for case in cases] == [f"generated_numbered_{turn}" for turn in (1, 2, 3)]


def test_sources_that_part_again_and_again_are_no_accident(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"numbered": Kind(numbered, parting(until=MOST_DRAWS + 1))}
    monkeypatch.setattr(generating, "kinds_of", lambda *_: kinds)
    with pytest.raises(Disagreement, match="generated_numbered_1, drawn 10 times: one says 10"):
        generate("tiny", 0, 1)
