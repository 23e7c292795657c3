"""Verdicts -> points for correctness, stage by stage."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.kit.judge import Verdict
from grader.project import Exercise

if TYPE_CHECKING:
    from grader.diagnosis import Diagnosis

OUT_OF = 25


@dataclass(frozen=True, slots=True)
class StageScore:
    """`points` are shares of OUT_OF, by the stage's weight and the share of cases passed."""

    name: str
    passed: int
    asked: int
    not_attempted: int
    points: float
    out_of: float


@dataclass(frozen=True, slots=True)
class Grade:
    """What the grader found about one engine.

    `points` is None where the grader itself failed on a case: such a case is nobody's zero, and
    without it there is no total.
    """

    exercise: str
    engine: str
    sandbox: str
    verdicts: tuple[Verdict, ...]
    stages: dict[str, StageScore]
    points: float | None
    notes: tuple[str, ...]
    seed: int | None = None
    diagnosis: "Diagnosis | None" = None

    @property
    def answered(self) -> int:
        """How many cases were put to the engine and led to something of its own."""
        return sum(v.status not in ("not_attempted", "grader_fault") for v in self.verdicts)


def score(
    exercise: Exercise, engine: str, sandbox: str, verdicts: Iterable[Verdict], notes: Iterable[str]
) -> Grade:
    """Weights are renormalised over the stages that have cases."""
    verdicts = tuple(verdicts)
    asked = [name for name in exercise.stages if any(v.case.stage == name for v in verdicts)]
    weights = {name: Fraction(exercise.stages[name].weight) for name in asked}
    exact: dict[str, Fraction] = {}
    stages: dict[str, StageScore] = {}
    for name in asked:
        of_stage = [v for v in verdicts if v.case.stage == name]
        passed = sum(v.status == "passed" for v in of_stage)
        out_of = OUT_OF * weights[name] / sum(weights.values())
        exact[name] = out_of * Fraction(passed, len(of_stage))
        stages[name] = StageScore(
            name=name,
            passed=passed,
            asked=len(of_stage),
            not_attempted=sum(v.status == "not_attempted" for v in of_stage),
            points=round(float(exact[name]), 2),
            out_of=round(float(out_of), 2),
        )
    has_fault = any(v.status == "grader_fault" for v in verdicts)
    return Grade(
        exercise=exercise.name,
        engine=engine,
        sandbox=sandbox,
        verdicts=verdicts,
        stages=stages,
        points=None if has_fault else round(float(sum(exact.values())), 2),
        notes=tuple(notes),
    )
