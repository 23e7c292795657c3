"""Right engines of different construction: what one of them lacks, no valid test needs."""

import pytest

from grader.power.engines import correct_engines


@pytest.mark.parametrize(("exercise", "number"), [("tiny", 2), ("tensor", 3)])
def test_an_exercise_has_several_that_differ(exercise: str, number: int) -> None:
    sources = correct_engines(exercise)
    assert len(sources) == len(set(sources.values())) == number
    for name, source in sources.items():
        compile(source, name, "exec")
