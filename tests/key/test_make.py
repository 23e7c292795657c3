"""The key of a session: every bug with what fails because of it, and what the rest is about."""

from dataclasses import replace

import pytest

from grader.bugs.matrix import read_matrix, suite
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
        concealed = {name for name, _ in key.concealed}
        assert {*entry.visible, *entry.hidden} == failing - concealed
        assert {visibility[name] for name in entry.visible} <= {"visible"}
        assert set(entry.only) <= {*entry.visible, *entry.hidden}
        for share in entry.shares:
            assert set(share.cases) <= read_matrix("tiny").failures[share.bug].keys()
            assert not set(share.cases) & set(entry.only)


def test_the_diff_mends(key: Key) -> None:
    for entry in key.entries:
        removed = [line[1:] for line in entry.diff if line.startswith("-")]
        added = [line[1:] for line in entry.diff if line.startswith("+")]
        assert removed or added
        assert removed != added


def test_pairs_that_share_cases_are_told_apart(key: Key) -> None:
    sharing = {
        frozenset((entry.bug.id, share.bug)) for entry in key.entries for share in entry.shares
    }
    assert {frozenset((each.one, each.other)) for each in key.apart} <= sharing
    assert len(key.apart) >= 0.8 * len(sharing)


def test_a_skeletons_key_says_what_each_stage_asks() -> None:
    key = key_for(Record("tensor", 7, "skeleton", 55, "no_grad", ()))
    assert key.entries == ()
    assert [stage.name for stage in key.stages][:2] == ["contract", "stage1"]
    assert all(stage.cases for stage in key.stages)
    assert all(bug.stage == stage.name for stage in key.stages for bug in stage.common)
    assert key.twist is not None
    assert key.twist.name == "no_grad"


def test_a_requirement_that_is_gone_is_said_so() -> None:
    with pytest.raises(ProjectError, match="there is no twist 'gone'"):
        key_for(replace(BUGGY, twist="gone"))
