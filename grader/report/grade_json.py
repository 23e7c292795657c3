"""A grade as plain data; grade.schema.json beside this file describes it."""

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

import grader
from grader.kit.judge import Verdict
from grader.score import OUT_OF, Grade


def as_data(grade: Grade) -> dict[str, Any]:
    return {
        "version": grader.__version__,
        "exercise": grade.exercise,
        "engine": grade.engine,
        "seed": grade.seed,
        "sandbox": grade.sandbox,
        "asked": len(grade.verdicts),
        "answered": grade.answered,
        "points": grade.points,
        "out_of": OUT_OF,
        "stages": {
            stage.name: {
                "passed": stage.passed,
                "asked": stage.asked,
                "not_attempted": stage.not_attempted,
                "points": stage.points,
                "out_of": stage.out_of,
            }
            for stage in grade.stages.values()
        },
        "verdicts": [_verdict(verdict) for verdict in grade.verdicts],
        "diagnosis": None if grade.diagnosis is None else asdict(grade.diagnosis),
        "notes": list(grade.notes),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "case": verdict.case.name,
        "stage": verdict.case.stage,
        "visibility": verdict.case.visibility,
        "status": verdict.status,
        "seconds": round(verdict.outcome.seconds, 6),
        "message": verdict.message,
    }


def as_text(grade: Grade) -> str:
    return json.dumps(as_data(grade), indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema that every grade satisfies."""
    text = (resources.files(__package__) / "grade.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
