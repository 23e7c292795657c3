"""Made-up grades, by the statuses of their cases."""

from pathlib import Path
from typing import Any

from grader.kit.engine import Faulted, NotAttempted, Outcome, Returned
from grader.kit.judge import Status, Verdict
from grader.project import Exercise, Stage
from grader.score import Grade, score
from tests.cases import case

STAGES = ("contract", "stage1", "stage2", "stage3")
EXERCISE = Exercise("tiny", "Tiny", 55, {name: Stage(name, 10.0, "about") for name in STAGES})


def verdict(
    status: Status, message: str = "the fact", *, topic: str = "made_up", **fields: Any
) -> Verdict:
    """`topic` is the name of the file that the case is from."""
    outcome: Outcome = Returned({"value": [[1.0]]}, 0.0012345678)
    if status == "not_attempted":
        outcome = NotAttempted(message)
    if status == "grader_fault":
        outcome = Faulted(message)
    made_up = case(path=Path(f"fixtures/tiny/visible/stage1/{topic}.yaml"), **fields)
    return Verdict(made_up, outcome, status, "" if status == "passed" else message)


def graded(*verdicts: Verdict, engine: str = "candidate", notes: tuple[str, ...] = ()) -> Grade:
    return score(EXERCISE, engine, "bwrap", verdicts, notes)
