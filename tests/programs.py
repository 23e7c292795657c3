"""Random programs that are in order, for property tests."""

from typing import Any

from hypothesis import strategies as st

from grader import language
from grader.arrays import Shape
from grader.language import DIALECTS, ONE_BY_ONE, Dialect, Nested

TINY, TENSOR = DIALECTS["tiny"], DIALECTS["tensor"]
SIZES = st.integers(1, 3)
# Powers of two: a mean of such numbers is exact, so a relu at 0 is at 0 for whoever computes it.
EXACT_SIZES = st.sampled_from([1, 2, 4])
RANKS = 3
NUMBERS = st.integers(-8, 8).map(lambda n: n / 4)


@st.composite
def arrays(draw: st.DrawFn, shape: Shape) -> Nested:
    """Lists in lists, or a number for the shape ()."""
    if not shape:
        return draw(NUMBERS)
    return [draw(arrays(shape[1:])) for _ in range(shape[0])]


@st.composite
def programs(draw: st.DrawFn, most_steps: int = 6) -> dict[str, Any]:
    """A request whose output is 1 by 1: any operation, on any operands that fit."""
    request, shapes = draw(_unfinished(TINY, st.tuples(SIZES, SIZES), most_steps))
    if shapes[request["output"]] != ONE_BY_ONE:
        _total(draw, request)
    return request


@st.composite
def tensor_programs(draw: st.DrawFn, most_steps: int = 6) -> dict[str, Any]:
    """The same for arrays of rank 0 to 3; an output of several elements has its upstream."""
    shapes_of_inputs = st.lists(EXACT_SIZES, max_size=RANKS).map(tuple)
    request, shapes = draw(_unfinished(TENSOR, shapes_of_inputs, most_steps))
    shape = shapes[request["output"]]
    if not TENSOR.has_one(shape) and draw(st.booleans()):
        _total(draw, request)
        shape = TENSOR.total
    if not TENSOR.has_one(shape) or draw(st.booleans()):
        request["upstream"] = draw(arrays(shape))
    return request


@st.composite
def _unfinished(
    draw: st.DrawFn, dialect: Dialect, shapes_of_inputs: st.SearchStrategy[Shape], most_steps: int
) -> tuple[dict[str, Any], dict[str, Shape]]:
    """A request whose output has any shape, and the shapes of all its names."""
    shapes: dict[str, Shape] = {}
    inputs = {}
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        shapes[name] = draw(shapes_of_inputs)
        inputs[name] = draw(arrays(shapes[name]))
    steps: list[list[str]] = []
    for index in range(draw(st.integers(0, most_steps))):
        step = draw(_steps(dialect, shapes))
        if step is not None:
            operation, *operands = step
            shape = dialect.result_shape(operation, *(shapes[name] for name in operands))
            assert shape is not None
            shapes[f"s{index}"] = shape
            steps.append([f"s{index}", operation, *operands])
    output = draw(st.sampled_from(list(shapes)))
    return {"op": "grad", "inputs": inputs, "steps": steps, "output": output}, shapes


@st.composite
def _steps(draw: st.DrawFn, dialect: Dialect, shapes: dict[str, Shape]) -> list[str] | None:
    names = st.sampled_from(list(shapes))
    operation = draw(st.sampled_from(list(dialect.arity)))
    if dialect.arity[operation] == 1:
        return [operation, draw(names)]
    a, b = draw(names), draw(names)
    return [operation, a, b] if dialect.result_shape(operation, shapes[a], shapes[b]) else None


def _total(draw: st.DrawFn, request: dict[str, Any]) -> None:
    request["steps"].append(["y", draw(st.sampled_from(("sum", "mean"))), request["output"]])
    request["output"] = "y"


# Of either exercise, as the grader reads it.
ANY_PROGRAM = st.one_of(
    programs().map(language.read),
    tensor_programs().map(lambda request: language.read(request, "tensor")),
)
