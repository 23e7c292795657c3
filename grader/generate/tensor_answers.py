"""What an engine must answer to a program of the tensor exercise: two sources, or no answer.

The reference answers, driven as any hand-in is. Central differences and the plain forward pass,
which share no code with it, confirm what it says, or a formula where the draft brings one.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from grader import language, oracle
from grader.arrays import flat
from grader.generate.draft import Disagreement, Draft, refused
from grader.kit import worker
from grader.kit.case import Raises, Returns
from grader.kit.compare import differences_between
from grader.kit.engine import driver_of, load_driver
from grader.kit.judge import place_of
from grader.project import FIXTURES, ROOT

EXERCISE = "tensor"
# The entries of a program are probed together, along random directions, where they are of one size;
# beside a huge one, whose step is huge too, each is probed by itself.
LARGEST_TOGETHER = 1e3


def expectation(draft: Draft) -> Returns | Raises:
    """Raises Disagreement."""
    if draft.raises:
        return refused(draft, EXERCISE)
    problems = list(language.problems(draft.request, EXERCISE))
    if problems:
        raise Disagreement(f"{problems[0].word}: {problems[0].text}")
    try:
        result = reference()(draft.request)
    except (ValueError, RuntimeError) as error:
        raise Disagreement(f"the reference refuses: {error}") from None
    if draft.answer is not None:
        differences = differences_between(draft.answer, result)
        why = "; ".join(f"{place_of(d.where)} {d.why}" for d in differences)
    else:
        why = _why_not(draft.request, result)
    if why:
        raise Disagreement(why)
    return Returns(result)


@cache
def reference() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A right engine in this process. Raises EngineError where torch is not installed."""
    path = driver_of(EXERCISE, FIXTURES)
    assert path is not None, "the exercise is driven"
    driver = load_driver(path)
    engine = worker.Engine(str(ROOT / "reference" / "tensor.py"), stands_alone=True, driver=driver)
    return engine.answerer(worker.nothing_to_measure)


def _why_not(request: dict[str, Any], result: dict[str, Any]) -> str:
    """In which way the reference's answer is not confirmed; empty if it is."""
    program = language.read(request, EXERCISE)
    if program.op == "gradcheck":
        is_right = result["passed"] is True and not any(result["errors"].values())
        return "" if is_right else f"the reference does not pass its own check: {result}"
    largest = max(abs(entry) for value in program.inputs.values() for entry in flat(value))
    most_work = 0 if largest < LARGEST_TOGETHER else oracle.MOST_WORK
    return next(oracle.unconfirmed(program, result, most_work), "")
