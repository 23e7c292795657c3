"""What the tiny profiles draw with."""

from random import Random

import pytest

from grader.chance import below, one_of, shuffled
from grader.generate.sketch import Sketch, number, profiles
from grader.language import problems


def draw(seed: int = 0) -> Random:
    return Random(seed)  # noqa: S311


def test_every_choice_comes_up() -> None:
    chance = draw()
    assert {below(chance, 3) for _ in range(100)} == {0, 1, 2}
    assert {one_of(chance, "abc") for _ in range(100)} == set("abc")
    assert {tuple(shuffled(chance, (1, 2, 3))) for _ in range(100)} == {
        (1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1),
    }  # fmt: skip


def test_a_number_is_neither_0_nor_1_and_has_two_decimals() -> None:
    chance = draw()
    sizes = [number(chance) for _ in range(2_000)]
    assert min(abs(size) for size in sizes) == 0.15
    assert max(abs(size) for size in sizes) == 2.49
    assert {0.84, 1.15} <= {abs(size) for size in sizes}
    assert not any(0.84 < abs(size) < 1.15 for size in sizes)
    assert {round(size, 2) for size in sizes} == set(sizes)
    assert {size > 0 for size in sizes} == {True, False}


def test_a_sketch_names_what_is_new_and_knows_its_size() -> None:
    sketch = Sketch(draw())
    x, w = sketch.leaf(2, 3), sketch.leaf(3, 1)
    column = sketch.matmul(x, w)
    y = sketch.sum(sketch.sub(x, column))
    assert (x, w, column, y) == ("x1", "x2", "s1", "s3")
    assert [sketch.sizes[name] for name in (x, w, column, "s2", y)] == [
        (2, 3), (3, 1), (2, 1), (2, 3), (1, 1),
    ]  # fmt: skip
    assert list(problems(sketch.grad(y).request)) == []


def test_names_may_be_given_as_far_as_they_go() -> None:
    sketch = Sketch(draw(), ("lambda", "0"))
    assert [sketch.leaf(1, 1), sketch.tanh("lambda"), sketch.mean("0")] == ["lambda", "0", "s2"]


@pytest.mark.parametrize("seed", range(30))
def test_entries_are_weighed_each_with_its_own_number(seed: int) -> None:
    sketch = Sketch(draw(seed))
    y = sketch.weighed(sketch.leaf(2, 3))
    assert sketch.sizes[y] == (1, 1)
    weights = [entry for m in list(sketch.inputs.values())[1:] for row in m for entry in row]
    assert len(weights) >= 5
    assert set(weights) != {1.0}


def test_operands_that_do_not_fit_are_no_accident() -> None:
    sketch = Sketch(draw())
    with pytest.raises(AssertionError, match="matmul of operands that do not fit"):
        sketch.matmul(sketch.leaf(1, 2), sketch.leaf(1, 2))


def test_a_profile_draws_again_and_again_from_one_source() -> None:
    def of_one_number(chance: Random):  # type: ignore[no-untyped-def]
        """one number"""
        sketch = Sketch(chance)
        return sketch.value(sketch.leaf(1, 1))

    (profile,) = profiles(of_one_number).values()
    drafts = profile(draw())
    inputs = [next(drafts).request["inputs"]["x1"][0][0] for _ in range(3)]
    assert profile.__doc__ == "one number"
    assert inputs == [number(chance) for chance in [draw()] for _ in range(3)]
