"""What verdicts say: which cases failed and how, and which passed."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.bugs.matrix import Matrix, signature
from grader.kit.judge import Verdict

SILENT = ("not_attempted", "grader_fault")
TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Evidence:
    """`failed` has how each case failed, by its name; what was not attempted is in neither."""

    failed: dict[str, str]
    passed: frozenset[str]
    silent: int


def evidence_in(verdicts: Iterable[Verdict], matrix: Matrix) -> Evidence:
    """Of the cases that the matrix knows: others, such as generated ones, point at no bug."""
    known = set(matrix.cases)
    failed, passed, silent = {}, set(), 0
    for verdict in verdicts:
        if verdict.case.name not in known:
            continue
        if verdict.status == "passed":
            passed.add(verdict.case.name)
        elif verdict.status in SILENT:
            silent += 1
        else:
            failed[verdict.case.name] = signature(verdict)
    return Evidence(failed, frozenset(passed), silent)


def is_alike(seen: str, expected: str) -> bool:
    """Whether a failure is the one expected.

    Where either ran out of time the machine had its say, so that any failure is as good.
    """
    return seen == expected or TIMED_OUT in (seen, expected)
