"""Deep programs, written short: a repeat block stands for many steps.

    - repeat: {times: 30, carry: {h: x}, steps: [[t, tanh, h], [h, add, h, t]], result: h}

A carry (`h`) starts as an outer name (`x`). Every round runs the inner steps under names of its
own, `t.1`, `h.1`, `t.2`, ...; a step that defines a carry gives the value that the rest of the
round and the next one see. After the last round the carry named by `result` is an outer name.
"""

from collections.abc import Iterator
from typing import Any

KEYS = {"times", "carry", "steps", "result"}
MOST_STEPS = 2_000_000


class RepeatError(ValueError):
    """A repeat block that cannot be expanded."""


def is_repeat(step: Any) -> bool:
    return isinstance(step, dict) and "repeat" in step


def expanded(steps: list[Any]) -> list[Any]:
    """The steps with every repeat block written out; anything else stays as it is."""
    flat: list[Any] = []
    for step in steps:
        if is_repeat(step):
            flat.extend(_rounds(step))
        else:
            flat.append(step)
    return flat


def _rounds(block: dict[str, Any]) -> Iterator[list[str]]:
    times, carry, steps, result = _checked(block)
    current = dict(carry)
    for turn in range(1, times + 1):
        names = dict(current)
        for at, (name, operation, *operands) in enumerate(steps):
            is_last = turn == times and name == result and _defines_last(steps, at, name)
            fresh = result if is_last else f"{name}.{turn}"
            yield [fresh, operation, *(names.get(operand, operand) for operand in operands)]
            names[name] = fresh
        current = {name: names[name] for name in carry}


def _defines_last(steps: list[list[str]], at: int, name: str) -> bool:
    return all(later[0] != name for later in steps[at + 1 :])


def _checked(block: dict[str, Any]) -> tuple[int, dict[str, str], list[list[str]], str]:
    body = block["repeat"]
    if len(block) != 1 or not isinstance(body, dict) or set(body) != KEYS:
        raise RepeatError("a repeat block is {repeat: {times: N, carry: {...}, steps: [...], result: NAME}}")
    times, carry, steps, result = (body[key] for key in ("times", "carry", "steps", "result"))
    if type(times) is not int or times < 1:
        raise RepeatError(f"times must be a whole number above 0, not {times!r}")
    if not isinstance(carry, dict) or not all(isinstance(name, str) for name in carry.values()):
        raise RepeatError("carry must map inner names to the outer names they start as")
    if not isinstance(steps, list) or not steps or not all(_is_step(step) for step in steps):
        raise RepeatError("the steps of a repeat block must be [name, operation, input names...]")
    if times * len(steps) > MOST_STEPS:
        raise RepeatError(f"{times} rounds of {len(steps)} steps are more than {MOST_STEPS}")
    if result not in carry or all(step[0] != result for step in steps):
        raise RepeatError(f"result must be a carry that the steps define, not {result!r}")
    return times, carry, steps, result


def _is_step(step: Any) -> bool:
    return isinstance(step, list) and len(step) > 1 and all(isinstance(word, str) for word in step)
