"""Profiles of the tiny exercise with many steps: each is for the time, or the stack, that it takes.

A limit is many times what a walk over the steps needs and a fraction of what the walks along all
paths need, or of one that looks at everything for each step.
"""

from itertools import pairwise
from random import Random

from grader.chance import below, one_of
from grader.generate.draft import Draft
from grader.generate.sketch import Sketch, number, profiles

SECONDS = 0.5  # for what takes milliseconds, or for ever
LAYERS = 30  # of which a walk along all paths sees 2 to the power of 30
USES = 120
# A recursion that goes through a C function ends the process between 12,000 and 14,000 levels down,
# where the stack has the usual 8 MiB.
TURNS, SECONDS_OF_TURNS = 16_000, 3.0
# So many that the time for copying all values at every step is many times that for the steps.
ADDITIONS, SECONDS_OF_ADDITIONS = 24_000, 2.0


def chain_of_turns(draw: Random) -> Draft:
    """c - (c - (c - ...)) is too deep for any call inside a call, and has one path only"""
    turns = TURNS + below(draw, 2)
    x, c, k = number(draw), number(draw), number(draw)
    steps = _chain(turns, "sub", "c", is_left=True)
    steps.append(["y", "mul", steps[-1][0], "k"])
    is_turned = turns % 2 == 1
    last = c - x if is_turned else x
    answer = {
        "value": round(last * k, 6) + 0.0,
        "grads": {
            "x": [[-k if is_turned else k]],
            "c": [[k if is_turned else 0.0]],
            "k": [[round(last, 6) + 0.0]],
        },
    }
    inputs = {"x": [[x]], "c": [[c]], "k": [[k]]}
    request = {"op": "grad", "inputs": inputs, "steps": steps, "output": "y"}
    return Draft(request, seconds=SECONDS_OF_TURNS, answer=answer)


def value_of_a_chain(draw: Random) -> Draft:
    """the values of a deep program alone: each step is one operation, not a look at all others"""
    x, k = below(draw, 400) / 4, (1 + below(draw, 15)) / 16
    operation = one_of(draw, ("add", "sub"))
    steps = _chain(ADDITIONS, operation, "k", is_left=False)
    inputs = {"x": [[x]], "k": [[k]]}
    request = {"op": "value", "inputs": inputs, "steps": steps, "output": steps[-1][0]}
    total = x + ADDITIONS * k if operation == "add" else x - ADDITIONS * k
    return Draft(request, seconds=SECONDS_OF_ADDITIONS, answer={"value": [[total]]})


def _chain(length: int, operation: str, constant: str, *, is_left: bool) -> list[list[str]]:
    """Begins at x; the constant is the left operand of every step, or the right one."""
    names = ["x", *map(str, range(1, length + 1))]
    if is_left:
        return [[new, operation, constant, old] for old, new in pairwise(names)]
    return [[new, operation, old, constant] for old, new in pairwise(names)]


def stack_of_layers(draw: Random) -> Draft:
    """every layer reads the layer before it twice, in one step or by a way round"""
    sketch = Sketch(draw)
    h, half = sketch.leaf(1, 2), sketch.given([[0.5, 0.5]])
    w = sketch.given([[number(draw) / 40 for _ in range(2)] for _ in range(2)])
    for _ in range(LAYERS + below(draw, 4)):
        if draw.random() < 0.5:
            h = sketch.either("add", h, sketch.tanh(sketch.matmul(h, w)))
        else:
            h = sketch.either("mul", sketch.add(h, h), half)
    return Draft(sketch.weighed_grad(h).request, seconds=SECONDS)


def one_result_with_many_uses(draw: Random) -> Draft:
    """a result runs its rule once, after the last of its many uses"""
    sketch = Sketch(draw)
    f = sketch.tanh(sketch.leaf(1, 2))
    total = sketch.leaf(1, 2)
    for _ in range(USES):
        total = sketch.step(one_of(draw, ("add", "sub")), total, f)
    return Draft(sketch.weighed_grad(total).request, seconds=SECONDS)


DEPTH = profiles(chain_of_turns, value_of_a_chain, stack_of_layers, one_result_with_many_uses)
