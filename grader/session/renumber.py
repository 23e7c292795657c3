"""Other numbers in the visible cases where they do not matter, so that no two kits are alike.

A case is given other numbers only if it then tells the same: every bug it is there for, and every
bug of the kit, fails it exactly if it failed it before.
"""

import json
import re
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from grader import language, oracle
from grader.authoring.fill import filled, quoted
from grader.bugs import Bug, catalogue
from grader.bugs.matrix import read_matrix
from grader.bugs.trial import PASSED, Trial
from grader.chance import below, seeded
from grader.kit import strict_yaml
from grader.kit.case import Case, Returns
from grader.kit.engine import Returned

STAGES = ("stage1", "stage2")
OPS = ("value", "grad")
TRIES = 3
# Numbers that a case may be about are left as they are, and so is a case that speaks of numbers.
SPECIAL = (0.0, 1.0)
LEAST, MOST = 0.1, 30.0
SPEAKS_OF_NUMBERS = re.compile(
    r"\d|zero|flat|large|small|tiny|huge|equal|same|whole|integer|positive|negative|steep|far|half"
    r"|hundred|thousand|million|decimal|round|cancel|overflow|even|odd",
)


def renumbered(path: Path, cases: list[Case], bugs: Iterable[Bug], seed: int, trial: Trial) -> str:
    """The file's text with other inputs and results, in as many cases as can have them."""
    text = strict_yaml.text_of(path)
    made: dict[str, Case] = {}
    lines = text.splitlines()
    document = strict_yaml.parse(text, path)
    for at, case in enumerate(cases):
        place = document.lines.get((at, "inputs"))
        if place is None or not is_free(case) or not lines[place - 1].startswith("  inputs: {"):
            continue
        if not lines[place - 1].rstrip().endswith("}"):
            continue
        other = _other(case, list(bugs), seeded(case.exercise, seed, case.name), trial)
        if other is not None:
            made[case.name] = other
            lines[place - 1] = f"  inputs: {_flow(other.request['inputs'])}"
    return _with_results("\n".join(lines) + "\n", path, made) if made else text


def is_free(case: Case) -> bool:
    """Whether the numbers are any numbers, as far as a reader can tell."""
    words = f"{case.name.replace('_', ' ')} {case.why}"
    return (
        not case.is_scenario
        and isinstance(case.expects, Returns)
        and case.stage in STAGES
        and case.request["op"] in OPS
        and not case.first
        and "upstream" not in case.request
        and len(case.steps) == len(case.request["steps"])
        and not SPEAKS_OF_NUMBERS.search(words.lower())
    )


def _other(case: Case, bugs: list[Bug], chance: Random, trial: Trial) -> Case | None:
    """The case with other numbers and their results, if there is one that tells the same."""
    watched = {bug.id: bug for bug in bugs}
    watched |= {guard: catalogue(case.exercise)[guard] for guard in case.guards}
    failures = read_matrix(case.exercise).failures
    for _ in range(TRIES):
        inputs = _redrawn(case.request["inputs"], chance)
        if inputs == case.request["inputs"]:
            return None
        request = {**case.request, "inputs": inputs}
        result = _confirmed(replace(case, request=request), trial)
        if result is None:
            continue
        other = replace(case, request=request, expects=Returns(result))
        if all(
            (trial.how([bug], other) != PASSED) == (case.name in failures[name])
            for name, bug in watched.items()
        ) and (trial.how(bugs, other) == PASSED) == (trial.how(bugs, case) == PASSED):
            return other
    return None


def _redrawn(inputs: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Each size becomes another one; what was equal stays equal, and signs stay, and whole ones."""
    taken: dict[float, float] = {}

    def other(number: float) -> float:
        size = abs(number)
        if size in SPECIAL or not LEAST <= size <= MOST:
            return number
        while size not in taken:
            drawn: float = 2 + below(chance, 7) if size == int(size) else _decimal(chance)
            if drawn not in taken.values() and drawn not in SPECIAL:
                taken[size] = drawn
            elif len(taken) >= 7:
                taken[size] = size
        return taken[size] if number > 0 else -taken[size]

    def walked(value: Any) -> Any:
        return [walked(item) for item in value] if isinstance(value, list) else other(value)

    return {name: walked(value) for name, value in inputs.items()}


def _decimal(chance: Random) -> float:
    """0.25 to 3.2, in steps of 0.05 that no whole number is among."""
    steps = 5 + below(chance, 60)
    return (steps + (steps % 20 == 0)) / 20


def _confirmed(case: Case, trial: Trial) -> dict[str, Any] | None:
    """What the reference answers, if the plain forward pass and central differences agree."""
    outcome = trial.reference.run(case)
    if not isinstance(outcome, Returned) or not isinstance(outcome.result, dict):
        return None
    program = language.read(case.request, case.exercise)
    is_confirmed = next(oracle.unconfirmed(program, outcome.result), None) is None
    return outcome.result if is_confirmed else None


def _with_results(text: str, path: Path, made: dict[str, Case]) -> str:
    """The text with what these cases now expect."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        # In the same place below a folder, since the path says what a case belongs to.
        copy = Path(folder, *path.parts[-4:])
        copy.parent.mkdir(parents=True)
        copy.write_text(text, encoding="utf-8")
        if (scenarios := path.with_suffix(".py")).exists():
            copy.with_suffix(".py").write_bytes(scenarios.read_bytes())

        def answer(case: Case) -> dict[str, Any]:
            expects = made[case.name].expects
            assert isinstance(expects, Returns)
            return dict(expects.result)

        return filled(copy, answer, everything=True, only=made.keys())[0]


def _flow(inputs: dict[str, Any]) -> str:
    """As the fixtures write it: {x: [[1, -2.5]], w: [[3]]}."""
    return "{" + ", ".join(f"{quoted(n)}: {json.dumps(v)}" for n, v in inputs.items()) + "}"
