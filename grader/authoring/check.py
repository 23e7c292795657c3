"""Holding cases to several sources, and to the bugs they are there for."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from grader import language, oracle
from grader.bugs import Bug, base_source
from grader.bugs.run import verdicts_of, verdicts_with
from grader.kit.case import Case, Raises, Returns
from grader.kit.engine import Engine
from grader.kit.judge import judge
from grader.sandbox import Backend

CHECK_STEPS = (1e-3, 1e-5, 1e-7)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a case."""

    case: Case
    text: str

    def __str__(self) -> str:
        return f"{self.case.path}:{self.case.line}: {self.case.name}: {self.text}"


def complaints_about(
    cases: list[Case], sources: dict[str, Engine], others: Iterable[Case] = ()
) -> Iterator[Complaint]:
    """Everything but what needs the bugs: see `unguarded`. `others` are known to be in order."""
    yield from twins(cases, others)
    for case in cases:
        if case.expects is None:
            yield Complaint(case, _why_unfilled(case))
            continue
        if not case.is_scenario:
            yield from _about_expectation(case)
        for name, engine in sources.items():
            verdict = judge(case, engine.run(case))
            if verdict.status != "passed":
                yield Complaint(case, f"{name} does not agree: {verdict.message}")


def _why_unfilled(case: Case) -> str:
    if not case.is_scenario:
        for problem in language.problems(case.request, case.exercise):
            return f"has no expected result, and can have none: {problem.word}: {problem.text}"
    return "has no expected result; run grader fixtures fill"


def twins(cases: list[Case], others: Iterable[Case] = ()) -> Iterator[Complaint]:
    """Cases that ask the same as one before them, or as one of the others."""
    asked = {json.dumps(other.requests): other for other in others}
    for case in cases:
        text = json.dumps(case.requests)
        if text in asked:
            twin = asked[text]
            yield Complaint(case, f"asks the same as {twin.name} ({twin.path}:{twin.line})")
        asked.setdefault(text, case)


def _about_expectation(case: Case) -> Iterator[Complaint]:
    """Central differences, the plain forward pass, and for an error that it is the only one."""
    problems = list(language.problems(case.request, case.exercise))
    if isinstance(case.expects, Raises):
        if [problem.word for problem in problems] != [case.expects.word]:
            found = "; ".join(f"{word}: {text}" for word, text in problems) or "nothing"
            yield Complaint(
                case, f"must have one thing wrong, {case.expects.word}; it has: {found}"
            )
        return
    assert isinstance(case.expects, Returns)
    if problems:
        yield Complaint(case, f"returns a result, but {problems[0].word}: {problems[0].text}")
        return
    program = language.read(case.request, case.exercise)
    result = case.expects.result
    if case.request["op"] == "gradcheck":
        if why := _unfit_gradcheck(program, result):
            yield Complaint(case, why)
        return
    for why in oracle.unconfirmed(program, result):
        yield Complaint(case, why)


def _unfit_gradcheck(program: language.Program, result: dict[str, Any]) -> str:
    """Why right engines could answer differently, each with a step of its own; empty if not.

    A check may fail where rounding swallows any small step: then the differences are the same for
    all of them.
    """
    if any(result["errors"].values()):
        return "the errors of a right engine's gradcheck are 0.0 in 4 decimals"
    if result["passed"] is not True:
        probes = oracle.Probes(program)
        for name in program.inputs:
            for way in probes.units(name):
                if len({probes.directional(way, step) for step in CHECK_STEPS}) > 1:
                    return f"its gradcheck fails only at some steps: see the gradient of {name}"
    return ""


# --- the bugs ------------------------------------------------------------------------------------


def unguarded(
    cases: list[Case],
    bugs: dict[str, Bug],
    exercise: str,
    backend: Backend,
    jobs: int,
    on_bug: Callable[[], None] = lambda: None,
) -> Iterator[Complaint]:
    """Cases that no bug fails, and guards that do not catch what they say they do.

    Those of a new requirement that the catalogue has no bugs of are held to the engine without it,
    which must fail them; refusing, as some expect, it may do already.
    """
    stages = {bug.stage for bug in bugs.values()}
    yield from _not_new([c for c in cases if c.stage not in stages], exercise, backend, jobs)
    cases = [case for case in cases if case.stage in stages]
    uncaught = {case.name for case in cases}
    guards: dict[str, list[Case]] = {}
    for case in cases:
        for bug_id in case.guards:
            if bug_id not in bugs:
                yield Complaint(case, f"guards {bug_id!r}, which is not in the catalogue")
            guards.setdefault(bug_id, []).append(case)

    def worth_running(bug: Bug) -> list[Case]:
        own = {case.name for case in guards.get(bug.id, [])}
        return [case for case in cases if case.name in uncaught or case.name in own]

    for bug, verdicts in verdicts_with(bugs.values(), exercise, worth_running, backend, jobs):
        failed = {verdict.case.name for verdict in verdicts if verdict.status != "passed"}
        uncaught -= failed
        for case in guards.get(bug.id, []):
            if case.name not in failed:
                yield Complaint(case, f"passes with the bug {bug.id}, which it is there to catch")
        on_bug()
    for case in cases:
        if case.name in uncaught:
            yield Complaint(case, "fails for no bug of the catalogue: what is it for?")


def _not_new(cases: list[Case], exercise: str, backend: Backend, jobs: int) -> Iterator[Complaint]:
    asked = [case for case in cases if not isinstance(case.expects, Raises)]
    if asked:
        for verdict in verdicts_of(base_source(exercise), exercise, asked, backend, jobs):
            if verdict.status == "passed":
                yield Complaint(verdict.case, "passes without the new requirement: what is it for?")
