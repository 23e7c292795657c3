"""Case x Outcome -> Verdict. Pure: no clock, no file, no engine."""

from dataclasses import dataclass
from typing import Any, Literal

from grader.kit.case import Case, Raises, Returns
from grader.kit.compare import Difference, Where, changes_between, differences_between
from grader.kit.engine import (
    ChangedRequest,
    Died,
    Faulted,
    InvalidAnswer,
    NotAttempted,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    TooMuchOutput,
    TooMuchWork,
)
from grader.kit.worker import printable

MOST_MESSAGE = 2_000
MIB = 1 << 20

Status = Literal[
    "passed",
    "wrong",
    "raised",
    "timed_out",
    "out_of_memory",
    "crashed",
    "too_much_output",
    "invalid_answer",
    "not_attempted",
    "grader_fault",
]


@dataclass(frozen=True)
class Verdict:
    """What became of a case. `message` is empty for a pass, else one line with the fact."""

    case: Case
    outcome: Outcome
    status: Status
    message: str
    differences: tuple[Difference, ...] = ()


def judge(case: Case, outcome: Outcome) -> Verdict:
    """The one place where it is decided whether a case passes."""
    match outcome:
        case Returned():
            return _judge_result(case, outcome)
        case Raised():
            return _judge_exception(case, outcome)
        case TimedOut():
            message = f"no answer within {case.seconds:g} s"
            return _verdict(case, outcome, "timed_out", message)
        case TooMuchWork(why=why):
            return _verdict(case, outcome, "timed_out", why)
        case Died(how=how):
            return _verdict(case, outcome, "crashed", how)
        case ChangedRequest(before=before, after=after):
            return _judge_change(case, outcome, before, after)
        case InvalidAnswer(why=why):
            return _verdict(case, outcome, "invalid_answer", why)
        case TooMuchOutput():
            return _verdict(case, outcome, "too_much_output", "the answer is far too long")
        case NotAttempted(why=why):
            return _verdict(case, outcome, "not_attempted", why)
        case Faulted(why=why):
            return _verdict(case, outcome, "grader_fault", why)


def _judge_result(case: Case, outcome: Returned) -> Verdict:
    if case.expects is None:
        message = "the case has no expected result yet; fill it with `grader fixtures fill`"
        return _verdict(case, outcome, "grader_fault", message)
    if isinstance(case.expects, Raises):
        message = f"returned a result, expected a ValueError with {case.expects.word!r} in it"
        return _verdict(case, outcome, "wrong", message)
    differences = tuple(differences_between(case.expects.result, outcome.result))
    if differences:
        return _verdict(case, outcome, "wrong", summary(case.expects, differences), differences)
    if case.memory is not None:
        return _judge_memory(case, outcome, case.memory)
    return _verdict(case, outcome, "passed", "")


def _judge_memory(case: Case, outcome: Returned, most: float) -> Verdict:
    """The process may grow by so many MiB from the first look at it to any later one."""
    first, *later = outcome.resident or (None,)
    if first is None or not later or None in later:
        message = "memory cannot be measured on this system"
        return _verdict(case, outcome, "not_attempted", message)
    growth = max(bytes_held - first for bytes_held in later if bytes_held is not None) / MIB
    if growth <= most:
        return _verdict(case, outcome, "passed", "")
    message = f"memory grew by {growth:.0f} MiB, where at most {most:g} MiB should stay"
    return _verdict(case, outcome, "wrong", message)


def _judge_exception(case: Case, outcome: Raised) -> Verdict:
    said = f"{outcome.kind}: {outcome.message}" if outcome.message else outcome.kind
    place = f" ({outcome.frames[-1].file}:{outcome.frames[-1].line})" if outcome.frames else ""
    if outcome.is_a("RecursionError"):  # where it hits the limit is an accident
        said, place = "RecursionError: recursion goes deeper than Python allows", ""
    if outcome.is_a("NotImplementedError"):
        return _verdict(case, outcome, "not_attempted", said + place)
    if outcome.is_a("MemoryError"):
        return _verdict(case, outcome, "out_of_memory", said + place)
    if isinstance(case.expects, Raises) and outcome.is_a("ValueError"):
        if case.expects.word in outcome.message:
            return _verdict(case, outcome, "passed", "")
        message = f"expected {case.expects.word!r} in the message of the ValueError, which says: "
        return _verdict(case, outcome, "wrong", message + (outcome.message or "nothing"))
    if isinstance(case.expects, Raises):
        said += f", expected a ValueError with {case.expects.word!r} in it"
    return _verdict(case, outcome, "raised", said + place)


def _judge_change(case: Case, outcome: Outcome, before: Any, after: Any) -> Verdict:
    change = next(changes_between(before, after), None)
    where, why = (change.where, change.why) if change else ((), "is not what it was")
    message = f"the engine changed its argument: request{subscript(where)} {why}"
    return _verdict(case, outcome, "wrong", message)


def _verdict(
    case: Case,
    outcome: Outcome,
    status: Status,
    message: str,
    differences: tuple[Difference, ...] = (),
) -> Verdict:
    return Verdict(case, outcome, status, printable(message)[:MOST_MESSAGE], differences)


# --- saying it -----------------------------------------------------------------------------------


def summary(expects: Returns, differences: tuple[Difference, ...]) -> str:
    """One line: the first difference, and how many there are beside it."""
    first = differences[0]
    part = part_of(first.where)
    text = f"{place_of(first.where)} {first.why}"
    here = sum(part_of(difference.where) == part for difference in differences)
    if here > 1:
        text += f" (and {here - 1} more of {_count(expects.result, part)} entries)"
    elsewhere = dict.fromkeys(place_of(part_of(d.where)) for d in differences)
    elsewhere.pop(place_of(part), None)
    return f"{text}; also {', '.join(elsewhere)}" if elsewhere else text


def part_of(where: Where) -> Where:
    """The part of a result that a place lies in: ("value",), ("grads", "b"), ..."""
    return tuple(key for key in where[:2] if isinstance(key, str))


def place_of(where: Where) -> str:
    """`gradient of b[0][1]` for ("grads", "b", 0, 1)."""
    match where:
        case ():
            return "the result"
        case ("grads", str(name), *rest):
            return f"gradient of {name}{subscript(tuple(rest))}"
        case ("errors", str(name), *rest):
            return f"error of {name}{subscript(tuple(rest))}"
    return f"{where[0]}{subscript(where[1:])}"


def subscript(where: Where) -> str:
    return "".join(f"[{part!r}]" for part in where)


def _count(result: Any, where: Where) -> int:
    """How many numbers there are at a place of a result."""
    for part in where:
        if isinstance(result, dict | list):
            result = result[part]  # type: ignore[index]
    return sum(_count(item, ()) for item in result) if isinstance(result, list) else 1
