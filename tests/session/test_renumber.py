"""Other numbers where the numbers do not matter, and the same case all the same."""

from pathlib import Path

import pytest

from grader.bugs import catalogue
from grader.bugs.matrix import read_matrix
from grader.bugs.trial import PASSED, Trial
from grader.files import write_tree
from grader.kit.case import Case, read_cases
from grader.kit.judge import judge
from grader.project import FIXTURES
from grader.session.draw import draw
from grader.session.kit import GUARDS
from grader.session.renumber import is_free, renumbered
from tests.session.kits import kit

SEED = 2
FILE = FIXTURES / "tiny" / "visible" / "stage1" / "mul.yaml"


def written(exercise: str, tmp_path: Path) -> dict[str, Case]:
    """The cases of a kit, by name."""
    cases: dict[str, Case] = {}
    write_tree(tmp_path, kit(exercise, SEED))
    for file in tmp_path.rglob("fixtures/**/*.yaml"):
        cases |= {case.name: case for case in read_cases(file)}
    return cases


@pytest.mark.parametrize("exercise", ["tiny", "tensor"])
def test_a_right_engine_passes_and_the_drawn_bugs_fail_what_they_failed(
    exercise: str, tmp_path: Path
) -> None:
    failures = read_matrix(exercise).failures
    home = FIXTURES / exercise / "visible"
    before = {case.name: case for file in home.rglob("*.yaml") for case in read_cases(file)}
    changed, drawn = 0, draw(exercise, SEED)
    with Trial(exercise) as trial:
        for name, case in written(exercise, tmp_path).items():
            if case.request == before[name].request:
                continue
            changed += 1
            assert judge(case, trial.reference.run(case)).status == "passed"
            assert trial.how([], case) == PASSED
            guarding = [catalogue(exercise)[guard] for guard in before[name].guards]
            for bug in (*drawn, *guarding):
                assert (trial.how([bug], case) != PASSED) == (name in failures[bug.id])
    assert changed >= 30


def test_only_the_numbers_are_others(tmp_path: Path) -> None:
    before = {c.name: c for file in FILE.parents[1].rglob("*.yaml") for c in read_cases(file)}
    for name, case in written("tiny", tmp_path).items():
        was = before[name]
        if case.request == was.request:
            continue
        assert case.request["steps"] == was.request["steps"]
        assert case.request["inputs"].keys() == was.request["inputs"].keys()
        assert (case.why, case.seconds, case.first) == (was.why, was.seconds, was.first)
        for old, new in zip(
            _numbers(was.request["inputs"]), _numbers(case.request["inputs"]), strict=True
        ):
            assert (old > 0) == (new > 0)
            assert (old == int(old)) == (new == int(new))
            assert abs(old) not in {0, 1} or old == new


def _numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [n for inner in value.values() for n in _numbers(inner)]
    if isinstance(value, list):
        return [n for inner in value for n in _numbers(inner)]
    assert isinstance(value, int | float)
    return [value]


def test_comments_and_layout_stay() -> None:
    cases = read_cases(FILE)
    with Trial("tiny") as trial:
        text = renumbered(FILE, cases, draw("tiny", SEED), SEED, trial)
    was = FILE.read_text("utf-8")
    assert text != was
    assert len(text.splitlines()) == len(was.splitlines())
    for old, new in zip(was.splitlines(), text.splitlines(), strict=True):
        if old != new:
            assert old.split(":")[0] == new.split(":")[0]
    assert GUARDS.sub("", text).count("- case:") == len(cases)


@pytest.mark.parametrize("name", ["tanh_far_out_is_flat", "double_by_add"])
def test_cases_that_are_about_their_numbers_are_left_alone(name: str) -> None:
    files = (FIXTURES / "tiny" / "visible" / "stage1").glob("*.yaml")
    found = {case.name: case for file in files for case in read_cases(file)}
    if name in found and name.startswith("tanh"):
        assert not is_free(found[name])
    free = [case for case in found.values() if is_free(case)]
    assert free
    assert all(case.request["op"] in {"value", "grad"} for case in free)
    assert not any(case.first for case in free)
