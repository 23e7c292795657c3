"""What a tensor program is put together from."""

import math
from collections import Counter
from random import Random

import pytest

from grader.generate.tensor_sketch import QUARTERS, Sketch, quarters, sizes
from grader.language import problems


def test_no_number_hides_what_is_multiplied_with_it() -> None:
    assert not {0, 1, -1} & set(QUARTERS)


@pytest.mark.parametrize("count", [0, 1, len(QUARTERS), 3 * len(QUARTERS)])
def test_numbers_come_again_only_when_all_have_come(count: int) -> None:
    found = quarters(Random("numbers"), count)  # noqa: S311
    assert len(found) == count
    assert max(Counter(found).values(), default=0) <= math.ceil(count / len(QUARTERS))


@pytest.mark.parametrize("rank", range(5))
def test_shapes_have_no_axes_of_size_one(rank: int) -> None:
    shape = sizes(Random(str(rank)), rank)  # noqa: S311
    assert len(shape) == rank
    assert min(shape, default=2) > 1


def test_a_sketch_is_a_program_in_order_with_the_shapes_it_says() -> None:
    sketch = Sketch(Random("a sketch"))  # noqa: S311
    row, column = sketch.leaf(1, 3), sketch.leaf(2, 1)
    table = sketch.either("mul", row, column)
    draft = sketch.weighed_grad(sketch.relu(sketch.matmul(table, sketch.leaf(3, 2))))
    assert sketch.shape(table) == (2, 3)
    assert sketch.shape(draft.request["output"]) == ()
    assert list(problems(draft.request, "tensor")) == []


def test_operands_that_do_not_fit_are_what_the_program_is_about() -> None:
    sketch = Sketch(Random("no fit"))  # noqa: S311
    output = sketch.sum(sketch.add(sketch.leaf(2), sketch.leaf(3)))
    found = [problem.word for problem in problems(sketch.request("grad", output), "tensor")]
    assert found == ["shape"]
    with pytest.raises(AssertionError):
        sketch.shape(output)
