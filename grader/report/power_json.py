"""What tests are worth, as plain data; power.schema.json beside this file describes it."""

import json
from collections.abc import Callable
from dataclasses import asdict
from importlib import resources
from typing import Any

import grader
from grader.power.measure import Fate, Power


def as_data(power: Power) -> dict[str, Any]:
    return {
        "version": grader.__version__,
        "exercise": power.exercise,
        "sandbox": power.sandbox,
        "caught": power.caught,
        "of": len(power.fates),
        "share": round(power.share, 4),
        "stages": _counts(power, lambda fate: fate.bug.stage),
        "kinds": _counts(power, lambda fate: fate.bug.kind),
        "valid": [{"test": test, "catches": caught_by(power, test)} for test in power.valid],
        "invalid": [asdict(each) for each in power.invalid],
        "unread": [{"file": each.test, "why": each.why} for each in power.unread],
        "bugs": [_bug(fate) for fate in power.fates],
        "notes": list(power.notes),
    }


def caught_by(power: Power, test: str) -> list[str]:
    """The bugs that it fails on."""
    return [fate.bug.id for fate in power.fates if test in fate.by]


def _counts(power: Power, name_of: Callable[[Fate], str]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for fate in power.fates:
        count = counts.setdefault(name_of(fate), {"caught": 0, "of": 0})
        count["caught"] += fate.catch == "caught"
        count["of"] += 1
    return counts


def _bug(fate: Fate) -> dict[str, Any]:
    return {
        "id": fate.bug.id,
        "stage": fate.bug.stage,
        "kind": fate.bug.kind,
        "outcome": fate.catch,
        "by": list(fate.by),
        "why": fate.why,
    }


def as_text(power: Power) -> str:
    return json.dumps(as_data(power), indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema that all of these satisfy."""
    text = (resources.files(__package__) / "power.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
