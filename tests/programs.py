"""Random programs that are in order, for property tests."""

from typing import Any

from hypothesis import strategies as st

from grader.arrays import Shape
from grader.language import DIALECTS, ONE_BY_ONE

TINY = DIALECTS["tiny"]
SIZES = st.integers(1, 3)
NUMBERS = st.integers(-8, 8).map(lambda n: n / 4)
BINARY = ("add", "sub", "mul", "matmul")


@st.composite
def matrices(draw: st.DrawFn, shape: Shape) -> list[list[float]]:
    rows, columns = shape
    return [[draw(NUMBERS) for _ in range(columns)] for _ in range(rows)]


@st.composite
def programs(draw: st.DrawFn, most_steps: int = 6) -> dict[str, Any]:
    """A request whose output is 1 by 1: any operation, on any operands that fit."""
    shapes: dict[str, Shape] = {}
    inputs = {}
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        shapes[name] = draw(st.tuples(SIZES, SIZES))
        inputs[name] = draw(matrices(shapes[name]))
    steps: list[list[str]] = []
    for index in range(draw(st.integers(0, most_steps))):
        step = draw(_steps(shapes))
        if step is not None:
            operation, *operands = step
            shape = TINY.result_shape(operation, *(shapes[name] for name in operands))
            assert shape is not None
            shapes[f"s{index}"] = shape
            steps.append([f"s{index}", operation, *operands])
    last = draw(st.sampled_from(list(shapes)))
    if shapes[last] != ONE_BY_ONE:
        steps.append(["y", draw(st.sampled_from(("sum", "mean"))), last])
        last = "y"
    return {"op": "grad", "inputs": inputs, "steps": steps, "output": last}


@st.composite
def _steps(draw: st.DrawFn, shapes: dict[str, Shape]) -> list[str] | None:
    names = st.sampled_from(list(shapes))
    operation = draw(st.sampled_from((*BINARY, "tanh", "sum", "mean")))
    if operation not in BINARY:
        return [operation, draw(names)]
    a, b = draw(names), draw(names)
    return [operation, a, b] if TINY.result_shape(operation, shapes[a], shapes[b]) else None
