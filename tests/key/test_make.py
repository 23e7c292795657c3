"""The key of a session: every bug with what fails because of it, and what the rest is about."""

import ast
from dataclasses import replace

import pytest

from grader.bugs import apply
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.starter import source_without_follow_ups
from grader.key.make import Key, key_for
from grader.project import ProjectError
from grader.session.draw import draw
from grader.session.record import Record

BUGGY = Record("tiny", 7, "buggy", 55, None, tuple(bug.id for bug in draw("tiny", 7)))


@pytest.fixture(scope="module")
def key() -> Key:
    return key_for(BUGGY)


def test_there_is_an_entry_for_each_bug(key: Key) -> None:
    assert sorted(entry.bug.id for entry in key.entries) == sorted(BUGGY.bugs)
    assert key.stages == ()


def test_its_cases_are_those_of_the_matrix(key: Key) -> None:
    visibility = {case.name: case.visibility for case in suite("tiny")}
    for entry in key.entries:
        failing = read_matrix("tiny").failures[entry.bug.id].keys()
        concealed = {each.case for each in key.concealed}
        assert {*entry.visible, *entry.hidden} == failing - concealed
        assert {visibility[name] for name in entry.visible} <= {"visible"}
        assert set(entry.only) <= {*entry.visible, *entry.hidden}
        for share in entry.shares:
            assert set(share.cases) <= read_matrix("tiny").failures[share.bug].keys()
            assert not set(share.cases) & set(entry.only)


def test_the_diff_mends(key: Key) -> None:
    """Put where the engine with all bugs has its old lines, it makes the engine without this."""
    base, bugs = source_without_follow_ups("tiny"), list(draw("tiny", 7))
    for entry in key.entries:
        source = apply(bugs, base)
        for hunk in hunks(entry.diff):
            old, new = ("".join(f"{x[1:]}\n" for x in hunk if x[0] in (" ", s)) for s in "-+")
            assert source.count(old) == 1
            source = source.replace(old, new)
        assert source == apply([bug for bug in bugs if bug != entry.bug], base)


def hunks(diff: tuple[str, ...]) -> list[list[str]]:
    found: list[list[str]] = []
    for line in diff:
        if line.startswith("@@"):
            found.append([])
        else:
            found[-1].append(line)
    return found


def test_pairs_that_share_cases_are_told_apart(key: Key) -> None:
    """By a small program or by a case, and never by both."""
    sharing = sorted(
        sorted((entry.bug.id, share.bug))
        for entry in key.entries
        for share in entry.shares
        if entry.bug.id < share.bug
    )
    told = [sorted((each.one, each.other)) for each in key.apart]
    told += [sorted((each.one, each.other)) for each in key.by_cases]
    assert sorted(told) == sharing
    assert len(key.apart) >= 0.8 * len(sharing)


def test_a_pair_that_no_small_program_tells_apart_has_cases_that_do() -> None:
    pair = ("add-shares-one-buffer", "exponential-walk")
    key = key_for(replace(BUGGY, bugs=pair))
    (found,) = key.by_cases
    assert (found.one, found.other) == pair
    assert found.cases
    one, other = (read_matrix("tiny").failures[bug] for bug in pair)
    for name in found.cases:
        assert one.get(name) != other.get(name)


def test_in_the_tensor_exercise_too_a_bug_has_more_cases_than_are_its_own() -> None:
    bugs = ("relu-ignores-upstream", "broadcast-unfinished", "matmul-with-itself")
    key = key_for(Record("tensor", 7, "buggy", 55, None, bugs))
    for entry in key.entries:
        assert set(entry.only) <= {*entry.visible, *entry.hidden}
    (apart,) = key.apart
    assert {apart.one, apart.other} == {"relu-ignores-upstream", "broadcast-unfinished"}
    assert len({apart.right, apart.with_one, apart.with_other}) == 2
    assert key.answer == ""


@pytest.fixture(scope="module")
def skeleton() -> Key:
    return key_for(Record("tensor", 7, "skeleton", 55, "no_grad", ()))


def test_a_skeletons_key_says_what_each_stage_asks(skeleton: Key) -> None:
    assert skeleton.entries == ()
    assert [stage.name for stage in skeleton.stages] == ["contract", "stage1", "stage2", "stage3"]
    assert all(stage.cases for stage in skeleton.stages)
    assert all(bug.stage == stage.name for stage in skeleton.stages for bug in stage.common)


def test_a_skeletons_key_has_the_answer_with_the_functions_of_each_stage(skeleton: Key) -> None:
    tree = ast.parse(skeleton.answer)
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for stage in skeleton.stages:
        assert stage.functions
        assert {function.rpartition(".")[2] for function in stage.functions} <= names
    assert "unbroadcast" in skeleton.stages[2].functions
    assert "no_grad" not in skeleton.answer


def test_a_requirement_has_its_own_common_mistakes(skeleton: Key) -> None:
    assert skeleton.twist is not None
    assert skeleton.twist.name == "no_grad"
    assert skeleton.in_twist
    assert {bug.stage for bug in skeleton.in_twist} == {"no_grad"}


def test_a_requirement_that_is_gone_is_said_so() -> None:
    with pytest.raises(ProjectError, match="there is no twist 'gone'"):
        key_for(replace(BUGGY, twist="gone"))
