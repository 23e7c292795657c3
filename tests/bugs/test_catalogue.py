"""Every bug is an exact edit that leaves an engine; what candidates start from is made of them."""

from pathlib import Path

import pytest

from grader.bugs import Bug, BugError, apply, base_source, catalogue
from grader.bugs.starter import STARTER, starter_source
from grader.kit.worker import load
from grader.project import ROOT, read_exercise

BUGS = catalogue("tiny")
STAGES = read_exercise("tiny").stages


@pytest.mark.parametrize("bug", BUGS.values(), ids=lambda bug: bug.id)
def test_it_applies_exactly_once_and_leaves_an_engine(bug: Bug, tmp_path: Path) -> None:
    source = apply([bug], base_source("tiny"))
    file = tmp_path / "tiny.py"
    file.write_text(source, encoding="utf-8")
    engine, problem = load(str(file), stands_alone=True)
    assert engine is not None, problem
    assert source != base_source("tiny")


@pytest.mark.parametrize("bug", BUGS.values(), ids=lambda bug: bug.id)
def test_it_says_what_it_is_in_a_sentence_each(bug: Bug) -> None:
    assert bug.stage in STAGES
    assert bug.kind
    for text in (bug.cause, bug.hint):
        assert 20 <= len(text) <= 130
        assert text.endswith((".", "?"))
        assert "\n" not in text
    assert bug.report == "" or bug.report.startswith("https://")
    assert bug.cause != bug.hint


def test_no_two_bugs_are_the_same_edit() -> None:
    edited = {apply([bug], base_source("tiny")): bug.id for bug in BUGS.values()}
    assert len(edited) == len(BUGS)


def test_an_edit_that_does_not_fit_says_which_and_how_often() -> None:
    bug = Bug("x", "k", "stage1", "shape", "no such text", "", "c", "h")
    with pytest.raises(BugError, match=r"x: its text stands 0 times in shape, not once"):
        apply([bug], base_source("tiny"))
    with pytest.raises(BugError, match="no function nowhere"):
        apply([Bug("x", "k", "stage1", "nowhere", "a", "b", "c", "h")], base_source("tiny"))


@pytest.mark.parametrize("exercise", STARTER)
def test_the_candidates_engine_has_not_drifted_from_the_catalogue(exercise: str) -> None:
    written = (ROOT / "candidate" / f"{exercise}.py").read_text(encoding="utf-8")
    assert written == starter_source(exercise), "renew it: python -m grader.bugs.starter"


def test_the_candidates_stage_1_bugs_are_of_at_least_four_kinds() -> None:
    stage1 = [BUGS[bug_id] for bug_id in STARTER["tiny"] if BUGS[bug_id].stage == "stage1"]
    assert len(stage1) >= 4
    assert len({bug.kind for bug in stage1}) >= 4
