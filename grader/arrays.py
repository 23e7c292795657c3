"""Arrays of any rank in plain Python: what the oracle's own forward pass is made of.

An array is its shape and its entries in row-major order. Nothing here knows of gradients, and none
of it is shared with an engine.
"""

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Array:
    shape: Shape
    entries: list[float]


def shape_of(nested: Any) -> Shape:
    """Of even lists in lists; a number has the shape ()."""
    shape = []
    while isinstance(nested, list):
        shape.append(len(nested))
        nested = nested[0]
    return tuple(shape)


def flat(nested: Any) -> list[float]:
    """The numbers in lists of any depth, in order."""
    if not isinstance(nested, list):
        return [nested]
    if nested and not isinstance(nested[0], list):
        return list(nested)
    return [entry for item in nested for entry in flat(item)]


def array(nested: Any) -> Array:
    return Array(shape_of(nested), [float(entry) for entry in flat(nested)])


def nested(of: Array) -> Any:
    """The array as lists in lists, a 0-D array as a number."""
    items: list[Any] = list(of.entries)
    for size in reversed(of.shape):
        items = [items[start : start + size] for start in range(0, len(items), size)]
    return items[0]


def broadcast_shape(a: Shape, b: Shape) -> Shape | None:
    """NumPy's rule: aligned at the last axis, sizes match or one of them is 1; None if they do not.

    https://numpy.org/doc/stable/user/basics.broadcasting.html
    """
    if a == b:
        return a
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(m != n and 1 not in (m, n) for m, n in zip(a, b, strict=True)):
        return None
    return tuple(max(m, n) for m, n in zip(a, b, strict=True))


def stretched(a: Array, shape: Shape) -> list[float]:
    """The entries of an array stretched to a shape that its own broadcasts to."""
    if a.shape == shape:
        return a.entries
    offsets = [0]
    stride = len(a.entries)
    own = (1,) * (len(shape) - len(a.shape)) + a.shape
    for size, given in zip(shape, own, strict=True):
        stride //= given
        step = stride if given > 1 else 0
        offsets = [offset + at * step for offset in offsets for at in range(size)]
    return [a.entries[offset] for offset in offsets]


def by_entry(function: Callable[[float, float], float]) -> Callable[[Array, Array], Array]:
    def apply(a: Array, b: Array) -> Array:
        shape = broadcast_shape(a.shape, b.shape)
        assert shape is not None, "the program has been checked"
        return Array(shape, list(map(function, stretched(a, shape), stretched(b, shape))))

    return apply


add = by_entry(operator.add)
sub = by_entry(operator.sub)
mul = by_entry(operator.mul)


def matmul(a: Array, b: Array) -> Array:
    """(n, m) times (m, p)."""
    (rows, inner), (_, columns) = a.shape, b.shape
    left = [a.entries[at : at + inner] for at in range(0, len(a.entries), inner)]
    right = [b.entries[at::columns] for at in range(columns)]
    products = [sum(map(operator.mul, row, column)) for row in left for column in right]
    return Array((rows, columns), products)


def transpose(a: Array) -> Array:
    """Of a matrix."""
    rows, columns = a.shape
    return Array((columns, rows), [e for at in range(columns) for e in a.entries[at::columns]])


def softmax_cross_entropy(logits: Array, targets: Array) -> float:
    """The mean over the rows of -sum(targets * log(softmax(logits)))."""
    rows, columns = logits.shape
    losses = []
    for at in range(0, rows * columns, columns):
        row, shares = logits.entries[at : at + columns], targets.entries[at : at + columns]
        most = max(row)
        log_total = most + math.log(math.fsum(math.exp(entry - most) for entry in row))
        losses.append(inner_product(shares, [log_total - entry for entry in row]))
    return math.fsum(losses) / rows


def map_entries(function: Callable[[float], float], a: Array) -> Array:
    return Array(a.shape, list(map(function, a.entries)))


def inner_product(a: Iterable[float], b: Iterable[float]) -> float:
    return math.fsum(map(operator.mul, a, b))
