"""What an engine must answer to a program of the tiny exercise: two sources, or no answer.

The reference answers. The oracle's plain forward pass, which shares no code with it and knows of no
gradients, confirms the value and, run on complex numbers, the gradients: an analytic f has

    f(x + i h w) = f(x) + i h (derivative of f at x along w) + O(h^2)

and where h is 1e-20 nothing of the O(h^2) is left in 16 digits, so that one run tells both. Squire
and Trapp, Using complex variables to estimate derivatives of real functions, SIAM Review 40 (1998).
"""

import cmath
import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from grader import language, oracle
from grader.arrays import Array, array, flat
from grader.generate.draft import Disagreement, Draft, refused
from grader.kit import worker
from grader.kit.case import Raises, Returns
from grader.kit.compare import differences_between
from grader.language import ONE_BY_ONE, Program
from grader.project import ROOT

EXERCISE = "tiny"
STEP = 1e-20
# The weights of a direction lie between 1/2 and 3/2, and no two of them have a simple ratio.
GOLDEN = 0.6180339887498949
# Of a gradient's rounding to six decimals, and of the floating point.
ROUNDED_OFF, RELATIVE = 1e-6, 1e-9


def expectation(draft: Draft) -> Returns | Raises:
    """Raises Disagreement."""
    request = draft.request
    if draft.raises:
        return refused(draft, EXERCISE)
    if draft.answer is not None:
        why, result = _why_not(request["op"], draft.answer, *_chain_probe(request)), draft.answer
        if why:
            raise Disagreement(f"the formula is not confirmed: {why}")
        return Returns(result)
    try:
        program = language.read(request, EXERCISE)
        result = reference()(request)
        why = _why_not(program.op, result, *_probe(program))
    except (ValueError, ArithmeticError) as error:  # a program not in order, or an overflow
        why = f"{type(error).__name__}: {error}"
    if why:
        raise Disagreement(why)
    return Returns(result)


@cache
def reference() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A right engine in this process."""
    engine = worker.Engine(str(ROOT / "reference" / "tiny.py"), stands_alone=True)
    return engine.answerer(worker.nothing_to_measure)


def _why_not(
    op: str, result: dict[str, Any], probe: Sequence[complex], ways: dict[str, list[float]]
) -> str:
    """In which way an answer is not confirmed by what came of the program along a direction."""
    if op == "gradcheck":
        is_right = result["passed"] is True and not any(result["errors"].values())
        return "" if is_right else f"the reference does not pass its own check: {result}"
    value = [round(entry.real, oracle.DECIMALS) for entry in probe]
    if any(differences_between(flat(result["value"]), value)):
        return f"the plain forward pass gives {value}, not {result['value']}"
    if op == "value":
        return ""
    terms = [
        entry * by
        for name, grad in result["grads"].items()
        for entry, by in zip(flat(grad), ways[name], strict=True)
    ]
    got, along = sum(terms), probe[0].imag / STEP
    near = ROUNDED_OFF * len(terms) + RELATIVE * sum(map(abs, terms))
    if abs(got - along) <= near:  # NaN is close to nothing
        return ""
    return f"along a direction the gradients give {got!r}, the plain forward pass {along!r}"


# --- the plain forward pass on complex numbers ---------------------------------------------------


def _probe(program: Program) -> tuple[Sequence[complex], dict[str, list[float]]]:
    """The entries of the output, with the inputs moved along a direction, and that direction."""
    start = {name: array(value) for name, value in program.inputs.items()}
    ways = _direction({name: len(given.entries) for name, given in start.items()})
    moved = {
        name: Array(given.shape, list(map(_moved, given.entries, ways[name])))
        for name, given in start.items()
    }
    return language.evaluated(program, moved, FORWARD).entries, ways


def _chain_probe(request: dict[str, Any]) -> tuple[Sequence[complex], dict[str, list[float]]]:
    """The same for a chain of numbers, in a loop that has time for nothing else."""
    ways = _direction(dict.fromkeys(request["inputs"], 1))
    values = {name: _moved(m[0][0], *ways[name]) for name, m in request["inputs"].items()}
    for name, operation, a, b in request["steps"]:
        values[name] = NUMBERS[operation](values[a], values[b])
    return [values[request["output"]]], ways


def _direction(entries: dict[str, int]) -> dict[str, list[float]]:
    """A weight for each entry of each input."""
    ways, at = {}, 0
    for name, number in entries.items():
        ways[name] = [0.5 + (GOLDEN * k) % 1 for k in range(at + 1, at + number + 1)]
        at += number
    return ways


def _moved(entry: float, by: float) -> Any:
    return complex(entry, STEP * by)


NUMBERS: dict[str, Callable[[complex, complex], complex]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}
FORWARD: dict[str, Callable[..., Array]] = {
    **oracle.FORWARD,
    "tanh": lambda a: Array(a.shape, list(map(cmath.tanh, a.entries))),  # type: ignore[arg-type]
    "sum": lambda a: Array(ONE_BY_ONE, [sum(a.entries)]),
    "mean": lambda a: Array(ONE_BY_ONE, [sum(a.entries) / len(a.entries)]),
}
