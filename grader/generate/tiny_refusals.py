"""Profiles of the tiny exercise with one thing wrong: the ValueError must name it."""

from random import Random
from typing import Any

from grader.chance import below, one_of, shuffled
from grader.generate.draft import Draft
from grader.generate.sketch import Sketch, matrix, number, profiles

OPS = ("value", "grad", "gradcheck")


def _sketch(draw: Random) -> tuple[Sketch, str]:
    """A program in order, to be spoilt, and a number that it makes."""
    sketch = Sketch(draw)
    n, m, p = shuffled(draw, (2, 3, 4))
    product = sketch.matmul(sketch.leaf(n, m), sketch.leaf(m, p))
    inner = sketch.tanh(product) if draw.random() < 0.5 else sketch.mul(product, product)
    return sketch, sketch.sum(inner)


# --- op ------------------------------------------------------------------------------------------


def op_that_nobody_knows(draw: Random) -> Draft:
    """only value, grad and gradcheck can be asked for, in small letters"""
    sketch, y = _sketch(draw)
    op = one_of(draw, ("", "gradient", "Value", "values", "backward", "check", "forward", None))
    return Draft({**sketch.request("", y), "op": op}, raises="op")


# --- matrices ------------------------------------------------------------------------------------


def _with_input(draw: Random, bad: Any) -> Draft:
    """Before the others or behind them, and read by a step or by none."""
    sketch, y = _sketch(draw)
    inputs = dict(shuffled(draw, [*sketch.inputs.items(), ("bad", bad)]))
    steps = sketch.steps
    if draw.random() < 0.5:
        operation = one_of(draw, ("sum", "tanh", "mean"))
        steps.insert(below(draw, len(steps) + 1), ["of_bad", operation, "bad"])
    request = {"op": one_of(draw, OPS), "inputs": inputs, "steps": steps, "output": y}
    return Draft(request, raises="matrix")


def input_that_is_no_list(draw: Random) -> Draft:
    """a number by itself is no matrix, and neither is nothing"""
    return _with_input(draw, one_of(draw, (5, 0, -1.5, None, True)))


def input_without_rows(draw: Random) -> Draft:
    """a matrix has a row at least"""
    return _with_input(draw, [])


def input_with_a_number_as_a_row(draw: Random) -> Draft:
    """numbers stand in rows, also where all the others do"""
    row = [number(draw)]
    rows: tuple[list[Any], ...] = ([1.5], [2, -3], [row, 0.5], [row, None])
    return _with_input(draw, one_of(draw, rows))


def input_with_an_empty_row(draw: Random) -> Draft:
    """a row has an entry at least"""
    return _with_input(draw, [[] for _ in range(1 + below(draw, 3))])


def input_with_rows_of_different_lengths(draw: Random) -> Draft:
    """the last row is shorter than the others, or longer"""
    n = 2 + below(draw, 3)
    rows = matrix(draw, 1 + below(draw, 2), n)
    return _with_input(draw, [*rows, [number(draw) for _ in range(n + one_of(draw, (-1, 1)))]])


def input_with_true_or_false(draw: Random) -> Draft:
    """true is no 1 and false no 0, in the last row of an input that no step reads either"""
    sketch, y = _sketch(draw)
    n = 1 + below(draw, 3)
    row: list[Any] = [number(draw) for _ in range(n)]
    row[below(draw, n)] = draw.random() < 0.5
    sketch.given([*matrix(draw, 1 + below(draw, 2), n), row])
    return sketch.refused("matrix", one_of(draw, OPS), y)


def input_with_something_else(draw: Random) -> Draft:
    """digits in quotes, gaps, rows in rows, and numbers that are not finite are no entries"""
    n = 1 + below(draw, 3)
    rows: list[list[Any]] = matrix(draw, 1 + below(draw, 3), n)
    others: tuple[Any, ...] = ("2", "", None, [1.5], {}, float("inf"), float("nan"))
    rows[below(draw, len(rows))][below(draw, n)] = one_of(draw, others)
    return _with_input(draw, rows)


# --- steps ---------------------------------------------------------------------------------------


def _with_step(draw: Random, step: Any, word: str = "step") -> Draft:
    """Anywhere, also behind the output."""
    sketch, y = _sketch(draw)
    sketch.steps.insert(below(draw, len(sketch.steps) + 1), step)
    return sketch.refused(word, one_of(draw, OPS), y)


def step_that_is_no_list(draw: Random) -> Draft:
    """a step is a list, not a hole in the program"""
    return _with_step(draw, one_of(draw, (None, 7, True)))


def step_that_is_too_short(draw: Random) -> Draft:
    """name and operation are needed, also behind the output"""
    sketch, y = _sketch(draw)
    sketch.steps.append(one_of(draw, ([], ["z"])))
    return sketch.refused("step", one_of(draw, OPS), y)


def operation_that_is_no_word(draw: Random) -> Draft:
    """an operation is a word, and what cannot even be looked up in a table is none"""
    return _with_step(draw, ["z", one_of(draw, ([], {}, ["sum"], {"sum": 1})), "x1"])


def operation_that_nobody_knows(draw: Random) -> Draft:
    """an operation outside the list is refused, however near its name comes to one that is on it"""
    # None that a new requirement would add.
    unknown = ("sqrt", "divide", "Sum", "TANH", "matmult", "", "mean ", "subtract")
    return _with_step(draw, ["z", one_of(draw, unknown), "x1"])


def step_with_too_few_inputs(draw: Random) -> Draft:
    """an operation does not make up for what it is not given"""
    few = (["z", "sum"], ["z", "mul"], ["z", "sub", "x1"], ["z", "matmul", "x2"], ["z", "tanh"])
    return _with_step(draw, one_of(draw, few))


def step_with_too_many_inputs(draw: Random) -> Draft:
    """nothing that an operation is given is dropped in silence"""
    many = (
        ["z", "sum", "x1", "x1"],
        ["z", "tanh", "x1", "x2"],
        ["z", "add", "x1", "x1", "x1"],
        ["z", "sub", "x2", "x2", "x1"],
        ["z", "matmul", "x1", "x2", "x1"],
    )
    return _with_step(draw, one_of(draw, many))


# --- names ---------------------------------------------------------------------------------------


def second_operand_that_is_not_defined(draw: Random) -> Draft:
    """every operand is looked up; a step's own name is not yet defined in it"""
    operation = one_of(draw, ("add", "sub", "mul", "matmul"))
    return _with_step(draw, ["z", operation, "x1", one_of(draw, ("X1", "w", "x", "z"))], "name")


def operand_that_is_defined_later(draw: Random) -> Draft:
    """steps run from the first to the last, so a later one cannot be read"""
    sketch, y = _sketch(draw)
    # The one before the last makes a matrix, the last sums it up.
    sketch.steps[-2:] = reversed(sketch.steps[-2:])
    return sketch.refused("name", one_of(draw, OPS), y)


def name_of_an_own_operand(draw: Random) -> Draft:
    """a name that is taken stays so, for an input, for a step, and for what is made of them"""
    sketch, _ = _sketch(draw)
    name = one_of(draw, ("x1", "x2", "s1", "s2"))
    operands = shuffled(draw, (name, name)) if draw.random() < 0.5 else [name]
    sketch.steps.append([name, "add" if len(operands) == 2 else "sum", *operands])
    return sketch.refused("name", "value", one_of(draw, ("x1", "s1", "s2")))


def output_that_is_not_defined(draw: Random) -> Draft:
    """the output is an input or a step, spelled as it was"""
    sketch, y = _sketch(draw)
    return sketch.refused("name", one_of(draw, OPS), one_of(draw, ("loss", y.upper(), f"{y} ", "")))


# --- output --------------------------------------------------------------------------------------


def row_as_the_output(draw: Random) -> Draft:
    """several entries in one row have no gradient, though the last step of the program has"""
    return _with_output(draw, 1, 2 + below(draw, 3))


def column_as_the_output(draw: Random) -> Draft:
    """several rows of one entry have no gradient, though the last step of the program has"""
    return _with_output(draw, 2 + below(draw, 3), 1)


def _with_output(draw: Random, rows: int, columns: int) -> Draft:
    sketch = Sketch(draw)
    output = sketch.leaf(rows, columns)
    k = sketch.leaf(rows, columns)
    if draw.random() < 0.7:
        output = sketch.either(one_of(draw, ("add", "mul", "sub")), output, k)
    sketch.mean(sketch.mul(output, output))
    return sketch.refused("output", one_of(draw, ("grad", "gradcheck")), output)


# --- shapes --------------------------------------------------------------------------------------


def _refused(draw: Random, operation: str, left: tuple[int, int], right: tuple[int, int]) -> Draft:
    """The operands may be results, and nothing needs to depend on the step."""
    sketch = Sketch(draw)
    a, b = sketch.leaf(*left), sketch.leaf(*right)
    y = sketch.sum(a)
    if draw.random() < 0.5:
        a = sketch.tanh(a)
    if draw.random() < 0.5:
        b = sketch.mul(b, b)
    sketch.steps.append(["z", operation, a, b])
    if draw.random() < 0.5:
        return sketch.refused("shape", one_of(draw, OPS), y)
    # A value: on the way back from here even an engine that lets it pass may trip over the sizes.
    sketch.steps.append(["total", "sum", "z"])
    return sketch.refused("shape", "value", "total")


def rows_that_do_not_fit(draw: Random) -> Draft:
    """two numbers of rows must be equal, or one of them 1"""
    n, m, p = shuffled(draw, (2, 3, 4))
    columns = one_of(draw, (1, p))
    return _refused(draw, one_of(draw, ("add", "sub", "mul")), (n, columns), (m, columns))


def columns_that_do_not_fit(draw: Random) -> Draft:
    """two lengths of rows must be equal, or one of them 1, also where the rows are stretched"""
    n, m, p = shuffled(draw, (2, 3, 4))
    left, right = shuffled(draw, ((one_of(draw, (1, p)), n), (p, m)))
    return _refused(draw, one_of(draw, ("add", "sub", "mul")), left, right)


def product_with_too_few_rows(draw: Random) -> Draft:
    """a matrix product stretches nothing, and does not end with the shorter side"""
    n, m = 1 + below(draw, 4), 2 + below(draw, 3)
    return _refused(draw, "matmul", (n, m), (1 + below(draw, m - 1), 1 + below(draw, 4)))


def product_with_too_many_rows(draw: Random) -> Draft:
    """a number of one row and one column is no factor for every entry"""
    n, m = 1 + below(draw, 4), 1 + below(draw, 3)
    return _refused(draw, "matmul", (n, m), (m + 1 + below(draw, 2), 1 + below(draw, 4)))


REFUSALS = profiles(
    op_that_nobody_knows,
    input_that_is_no_list,
    input_without_rows,
    input_with_a_number_as_a_row,
    input_with_an_empty_row,
    input_with_rows_of_different_lengths,
    input_with_true_or_false,
    input_with_something_else,
    step_that_is_no_list,
    step_that_is_too_short,
    operation_that_is_no_word,
    operation_that_nobody_knows,
    step_with_too_few_inputs,
    step_with_too_many_inputs,
    second_operand_that_is_not_defined,
    operand_that_is_defined_later,
    name_of_an_own_operand,
    output_that_is_not_defined,
    row_as_the_output,
    column_as_the_output,
    rows_that_do_not_fit,
    columns_that_do_not_fit,
    product_with_too_few_rows,
    product_with_too_many_rows,
)
