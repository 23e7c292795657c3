"""Deep programs, written short: a repeat block stands for many steps.

    - repeat: {times: 30, carry: {h: x}, steps: [[t, tanh, h], [h, add, h, t]], result: h}

A carry (`h`) starts as an outer name (`x`). Every round runs the inner steps under names of its
own, `t.1`, `h.1`, `t.2`, ...; a step that defines a carry gives the value that the rest of the
round and the next one see. After the last round the carry named by `result` is an outer name.
"""

import json
from typing import Any, NamedTuple

KEYS = ("times", "carry", "steps", "result")
MOST_STEPS = 2_000_000


class RepeatError(ValueError):
    """A repeat block that cannot be expanded."""


class _Operand(NamedTuple):
    """A name as the body of the block has it, and which round's suffix it takes: see `_rounds`."""

    name: str
    suffix: int


THIS_ROUND, ROUND_BEFORE, OUTER = range(3)
THIS, BEFORE = "\0", "\1"  # which no JSON text contains as they are
SUFFIXES = (f".{THIS}", f".{BEFORE}", "")


def is_repeat(step: Any) -> bool:
    return isinstance(step, dict) and "repeat" in step


def expanded(steps: list[Any]) -> list[Any]:
    """The steps with every repeat block written out; anything else stays as it is."""
    flat: list[Any] = []
    for step in steps:
        flat += _written_out(step) if is_repeat(step) else [step]
    return flat


def _written_out(block: dict[str, Any]) -> list[list[str]]:
    times, carry, steps, result = _checked(block)
    flat = _rounds(times, carry, steps)
    last = f"{result}.{times}"
    for at, (name, operation, *operands) in enumerate(flat[-len(steps) :], len(flat) - len(steps)):
        names = [result if word == last else word for word in (name, *operands)]
        flat[at] = [names[0], operation, *names[1:]]
    return flat


def _rounds(times: int, carry: dict[str, str], steps: list[list[str]]) -> list[list[str]]:
    """Made as JSON text, of which the parser makes lists many times faster than a loop here."""
    first = _as_text(_body(steps, carry, is_first=True)).replace(THIS, "1")
    later = _as_text(_body(steps, carry, is_first=False))
    texts = [later.replace(THIS, str(t)).replace(BEFORE, str(t - 1)) for t in range(2, times + 1)]
    rounds: list[list[str]] = json.loads(f"[{','.join([first, *texts])}]")
    return rounds


def _as_text(body: list[tuple[str, str, list[_Operand]]]) -> str:
    """The steps of a round as JSON, with THIS or BEFORE where its number or that before goes."""

    def word(name: str, suffix: str) -> str:
        return f'{json.dumps(name)[:-1]}{suffix}"'

    texts = []
    for name, operation, read in body:
        operands = [word(operand.name, SUFFIXES[operand.suffix]) for operand in read]
        words = [word(name, SUFFIXES[THIS_ROUND]), json.dumps(operation), *operands]
        texts.append(f"[{','.join(words)}]")
    return ",".join(texts)


def _body(
    steps: list[list[str]], carry: dict[str, str], *, is_first: bool
) -> list[tuple[str, str, list[_Operand]]]:
    """The steps of a round, and for every operand what it refers to."""
    made = [step[0] for step in steps]

    def operand(name: str, at: int) -> _Operand:
        if name in made[:at]:
            return _Operand(name, THIS_ROUND)
        if name in carry:
            is_remade = name in made and not is_first
            return _Operand(name, ROUND_BEFORE) if is_remade else _Operand(carry[name], OUTER)
        return _Operand(name, OUTER)

    return [
        (name, operation, [operand(read, at) for read in operands])
        for at, (name, operation, *operands) in enumerate(steps)
    ]


def _checked(block: dict[str, Any]) -> tuple[int, dict[str, str], list[list[str]], str]:
    body = block["repeat"]
    if len(block) != 1 or not isinstance(body, dict) or set(body) != set(KEYS):
        raise RepeatError("repeat takes {times: N, carry: {...}, steps: [...], result: NAME}")
    times, carry, steps, result = (body[key] for key in KEYS)
    if type(times) is not int or times < 1:
        raise RepeatError(f"times must be a whole number above 0, not {times!r}")
    if not isinstance(carry, dict) or not all(isinstance(name, str) for name in carry.values()):
        raise RepeatError("carry must map inner names to the outer names they start as")
    if not isinstance(steps, list) or not steps or not all(_is_step(step) for step in steps):
        raise RepeatError("the steps of a repeat block must be [name, operation, input names...]")
    if times * len(steps) > MOST_STEPS:
        raise RepeatError(f"{times} rounds of {len(steps)} steps are more than {MOST_STEPS}")
    names = [step[0] for step in steps]
    if len(set(names)) < len(names):
        raise RepeatError("a round must define each of its names once")
    if result not in names or result not in list(carry):
        raise RepeatError(f"result must be a carry that the steps define, not {result!r}")
    return times, carry, steps, result


def _is_step(step: Any) -> bool:
    return isinstance(step, list) and len(step) > 1 and all(isinstance(word, str) for word in step)
