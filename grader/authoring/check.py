"""Holding cases to several sources, and to the bugs they are there for."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader import language, oracle
from grader.arrays import flat
from grader.bugs import Bug
from grader.bugs.run import verdicts_with
from grader.kit.case import Case, Raises, Returns
from grader.kit.compare import differences_between
from grader.kit.engine import Engine
from grader.kit.judge import judge
from grader.sandbox import Backend


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
        if result["passed"] is not True or any(result["errors"].values()):
            yield Complaint(case, "a right engine must pass its own gradcheck with errors 0.0")
        return
    value = oracle.rounded(oracle.evaluate(program, program.inputs))
    written = result["value"]
    if case.request["op"] == "grad" and program.upstream is None:
        value = flat(value)[0]
    if any(differences_between(written, value)):
        yield Complaint(case, f"the plain forward pass gives {value}, not {written}")
    if case.request["op"] == "grad" and (why := oracle.disagreement(program, result["grads"])):
        yield Complaint(case, why)


# --- the bugs ------------------------------------------------------------------------------------


def unguarded(
    cases: list[Case],
    bugs: dict[str, Bug],
    exercise: str,
    backend: Backend,
    jobs: int,
    on_bug: Callable[[], None] = lambda: None,
) -> Iterator[Complaint]:
    """Cases that no bug fails, and guards that do not catch what they say they do."""
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
