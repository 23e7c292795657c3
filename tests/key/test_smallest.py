"""The smallest programs that tell two bugs apart: they do, and nothing smaller would."""

from itertools import islice

import pytest

from grader.bugs import catalogue
from grader.bugs.trial import Trial
from grader.key.smallest import case_of, pairs_of, programs, said, told_apart

BUGS = [
    catalogue("tiny")[name]
    for name in (
        "sub-second-sign",
        "tanh-from-input",
        "unused-input-missing",
        "broadcast-unfinished",
    )
]


def test_each_pair_is_told_apart_by_what_each_engine_answers() -> None:
    with Trial("tiny") as trial:
        found = told_apart(pairs_of(BUGS), trial)
        assert [(each.one, each.other) for each in found] == [
            (one.id, other.id) for one, other in pairs_of(BUGS)
        ]
        for each in found:
            case = case_of("tiny", each.first, each.request)
            one, other = ([catalogue("tiny")[name]] for name in (each.one, each.other))
            assert said(trial.engine(one).run(case)) == each.with_one
            assert said(trial.engine(other).run(case)) == each.with_other
            assert said(trial.engine([]).run(case)) == each.right
            assert each.with_one != each.with_other


def test_nothing_earlier_would_have_done() -> None:
    pair = (BUGS[0], BUGS[1])
    with Trial("tiny") as trial:
        (found,) = told_apart([pair], trial)
        for first, request in programs("tiny"):
            if (first, request) == (found.first, found.request):
                break
            case = case_of("tiny", first, request)
            answers = {said(trial.engine([bug]).run(case)) for bug in pair}
            assert len(answers) == 1 or "Error" in said(trial.engine([]).run(case))
    assert len(found.request["steps"]) == 1


def test_a_bug_and_itself_are_not_told_apart() -> None:
    with Trial("tiny") as trial:
        assert told_apart([(BUGS[0], BUGS[0])], trial) == []


@pytest.mark.parametrize("exercise", ["tiny", "tensor"])
def test_programs_grow(exercise: str) -> None:
    lengths = [len(request["steps"]) for _, request in islice(programs(exercise), 400)]
    assert lengths[0] == 0
    assert max(lengths) >= 2
    totals_aside = [length for length in lengths if length != 1]
    assert totals_aside == sorted(totals_aside)
