"""A reverse-mode autograd engine over PyTorch's tensors, used as storage and kernels only.

Every operation that needs a gradient leaves one Node behind: the rule of its backward pass, what
that rule needs, and the sources it came from. Nodes and leaves are numbered as they are made, so
the newest of those that a gradient has reached has heard from everything that uses it, and
backward takes them in that order: a topological order without a sort, a visited set or recursion.

    >>> x = Tensor(torch.tensor([3.0, 0.5]), requires_grad=True)
    >>> y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([6., 1.])

A tensor knows its node and a node its sources, never the other way round. So there are no cycles,
results that nobody needs go at once, and each node lets go of its own as backward has passed it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias

import torch

FEW_ROWS = 32  # products with more are worth a multiplication of their own
BLOCK_ROWS = 256  # so many rows of products wait, then are multiplied out

# Counted downwards, since heapq gives the smallest first, and the newest is wanted.
numbers = count(0, -1)


# --- whether operations are recorded -------------------------------------------------------------


class Recording(threading.local):
    """How many `no_grad`s the thread is in."""

    paused = 0


recording = Recording()


class no_grad(ContextDecorator):  # noqa: N801 (reads as a function does)
    """Record nothing: `with no_grad(): ...` or `@no_grad()`, in this thread only."""

    def __enter__(self) -> None:
        recording.paused += 1

    def __exit__(self, *raised: object) -> None:
        recording.paused -= 1


# --- the graph -----------------------------------------------------------------------------------


class Node:
    """One recorded operation on one or two operands.

    `first` and `second` say where the operands came from, `for_first` and `for_second` hold what
    the rule needs for their gradients. All are None once the node has been freed.
    """

    __slots__ = ("first", "for_first", "for_second", "number", "second", "vjp")

    def __init__(
        self, vjp: Vjp, first: Source | None, for_first: Any, second: Source | None, for_second: Any
    ) -> None:
        self.number = next(numbers)
        self.vjp: Vjp | None = vjp
        self.first = first
        self.for_first = for_first
        self.second = second
        self.for_second = for_second

    def free(self) -> None:
        self.vjp = self.first = self.for_first = self.second = self.for_second = None


class Tensor:
    """A torch tensor that remembers how it was made, if anything it was made of needs a gradient.

    Leaves are made by hand, and those with `requires_grad` collect a `grad`; results never do.
    """

    __slots__ = ("__weakref__", "data", "grad", "node", "number", "requires_grad")

    def __init__(self, data: torch.Tensor, requires_grad: bool = False) -> None:  # noqa: FBT001, FBT002
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"data must be a torch.Tensor, not a {type(data).__name__}")
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(f"only floating point data can require a gradient, not {data.dtype}")
        self.number = next(numbers)
        self.data = data.detach() if data.requires_grad else data
        self.grad: torch.Tensor | None = None
        self.requires_grad = requires_grad
        self.node: Node | None = None

    def __repr__(self) -> str:
        return f"Tensor({self.data!r}, requires_grad={self.requires_grad})"

    def __add__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = aligned(self, other)
        return recorded(a.data + b.data, add_vjp, a, None, b, None)

    def __sub__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = aligned(self, other)
        return recorded(a.data - b.data, sub_vjp, a, None, b, None)

    def __mul__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = aligned(self, other)
        return recorded(a.data * b.data, mul_vjp, a, b.data, b, a.data)

    def __matmul__(self, other: Tensor) -> Tensor:
        """(n, m) @ (m, p) and nothing else."""
        if not isinstance(other, Tensor):
            return NotImplemented
        a, b = self.data, other.data
        try:
            product = torch.mm(a, b)
        except RuntimeError:
            if a.ndim == b.ndim == 2 and a.shape[1] == b.shape[0]:
                raise
            shapes = f"{tuple(a.shape)} @ {tuple(b.shape)}"
            raise RuntimeError(f"matmul takes (n, m) @ (m, p), not {shapes}") from None
        return recorded(product, matmul_vjp, self, b, other, a)

    def relu(self) -> Tensor:
        result = self.data.relu()
        return recorded(result, relu_vjp, self, result)

    def sum(self) -> Tensor:
        return recorded(self.data.sum(), sum_vjp, self, self.data.shape)

    def mean(self) -> Tensor:
        return recorded(self.data.mean(), mean_vjp, self, self.data.shape)

    def backward(
        self,
        gradient: torch.Tensor | None = None,
        retain_graph: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Add d self / d leaf, times `gradient`, to the grad of every leaf that requires one.

        The graph is freed on the way, unless it is to be retained. Leaves change only at the very
        end, all together: where anything raises, none has changed.
        """
        if not self.requires_grad:
            raise RuntimeError("backward from a tensor that does not require a gradient")
        if gradient is None:
            if self.data.numel() != 1:
                shape = tuple(self.data.shape)
                raise RuntimeError(f"backward from a tensor of shape {shape} needs a gradient")
            gradient = torch.ones_like(self.data)
        elif gradient.shape != self.data.shape:
            shapes = f"{tuple(gradient.shape)}, its tensor {tuple(self.data.shape)}"
            raise RuntimeError(f"the gradient has the shape {shapes}")
        gradient = gradient.detach().to(self.data.dtype)
        reached = gradients(self.node or self, gradient, retain_graph=retain_graph)
        taken = {gradient.data_ptr()}
        grads = [collected(leaf, arrived, taken) for leaf, arrived in reached]
        for (leaf, _), grad in zip(reached, grads, strict=True):
            leaf.grad = grad


Source: TypeAlias = Node | Tensor  # of a gradient's way back: an operation, or a leaf


def source(tensor: Tensor) -> Source | None:
    return tensor.node or (tensor if tensor.requires_grad else None)


def recorded(
    data: torch.Tensor,
    vjp: Vjp,
    first: Tensor,
    for_first: Any,
    second: Tensor | None = None,
    for_second: Any = None,
) -> Tensor:
    """The result of an operation, with a node if an operand needs a gradient."""
    result = Tensor(data)
    if recording.paused:
        return result
    first_source = source(first)
    second_source = None if second is None else source(second)
    if first_source is None and second_source is None:
        return result
    if first_source is None:
        for_first = None
    if second_source is None:
        for_second = None
    result.requires_grad = True
    result.node = Node(vjp, first_source, for_first, second_source, for_second)
    return result


# --- backward ------------------------------------------------------------------------------------


class Pending:
    """Gradients on their way: what has arrived for each source, summed up, until it is taken.

    Nothing is added in place, since one gradient may be on its way to several sources.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []  # a heap
        self.sources: dict[int, Source] = {}
        self.arrived: dict[int, torch.Tensor] = {}
        self.products: dict[int, Products] = {}

    def expect(self, source: Source) -> None:
        if source.number not in self.sources:
            self.sources[source.number] = source
            heappush(self.numbers, source.number)

    def add(self, source: Source, gradient: torch.Tensor) -> None:
        number = source.number
        so_far = self.arrived.get(number)
        if so_far is None:
            self.arrived[number] = gradient
            self.expect(source)
        else:
            self.arrived[number] = so_far + gradient

    def add_matmul(self, source: Source, a: torch.Tensor, b: torch.Tensor) -> None:
        """Add a @ b, in one kernel."""
        number = source.number
        so_far = self.arrived.get(number)
        if so_far is None:
            self.arrived[number] = torch.mm(a, b)
            self.expect(source)
        else:
            self.arrived[number] = torch.addmm(so_far, a, b)

    def add_product(self, source: Source, x: torch.Tensor, upstream: torch.Tensor) -> None:
        """Add x^T @ upstream, later if there are few rows.

        A weight that is used again and again gets a sum of such products, and x1^T @ g1 +
        x2^T @ g2 + ... is a single product: of the x, one below the other, and of the g.
        """
        rows = x.size(0)
        if rows > FEW_ROWS:
            self.add_matmul(source, x.t(), upstream)
            return
        products = self.products.get(source.number)
        if products is None:
            products = self.products[source.number] = Products()
            self.expect(source)
        products.xs.append(x)
        products.upstreams.append(upstream)
        products.rows += rows
        if products.rows >= BLOCK_ROWS:
            self.multiply_out(source)

    def multiply_out(self, source: Source) -> None:
        products = self.products.pop(source.number)
        x, upstream = torch.cat(products.xs), torch.cat(products.upstreams)
        self.add_matmul(source, x.t(), upstream)

    def take(self) -> tuple[Source, torch.Tensor]:
        """The newest source and its gradient, to which nothing can be added any more."""
        number = heappop(self.numbers)
        source = self.sources[number]
        if number in self.products:
            self.multiply_out(source)
        del self.sources[number]
        return source, self.arrived.pop(number)


class Products:
    def __init__(self) -> None:
        self.xs: list[torch.Tensor] = []
        self.upstreams: list[torch.Tensor] = []
        self.rows = 0


def gradients(
    root: Source, gradient: torch.Tensor, *, retain_graph: bool
) -> list[tuple[Tensor, torch.Tensor]]:
    """Each leaf that `root` depends on, and its gradient."""
    leaves = []
    pending = Pending()
    pending.add(root, gradient)
    while pending.numbers:
        source, upstream = pending.take()
        if isinstance(source, Tensor):
            leaves.append((source, upstream))
            continue
        if source.vjp is None:
            raise RuntimeError("backward a second time: the graph was freed (see retain_graph)")
        source.vjp(source, upstream, pending)
        if not retain_graph:
            source.free()
    return leaves


def collected(leaf: Tensor, gradient: torch.Tensor, taken: set[int]) -> torch.Tensor:
    """The leaf's grad with `gradient` added, in memory of its own.

    Rules may hand one gradient, or a view of it, to several sources: `taken` has the addresses
    that somebody else has.
    """
    if leaf.grad is not None:
        return (leaf.grad + gradient).contiguous()
    if gradient.data_ptr() in taken or not gradient.is_contiguous():
        gradient = gradient.clone(memory_format=torch.contiguous_format)
    taken.add(gradient.data_ptr())
    return gradient


# --- the rules -----------------------------------------------------------------------------------
# vjp(node, upstream, pending) adds to each source that needs one its gradient, in its shape and
# dtype; upstream is d output / d result, in the result's.

Vjp: TypeAlias = Callable[[Node, torch.Tensor, Pending], None]


def add_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    if node.first is not None:
        pending.add(node.first, upstream)
    if node.second is not None:
        pending.add(node.second, upstream)


def sub_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    if node.first is not None:
        pending.add(node.first, upstream)
    if node.second is not None:
        pending.add(node.second, -upstream)


def mul_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    if node.first is not None:
        pending.add(node.first, upstream * node.for_first)
    if node.second is not None:
        pending.add(node.second, upstream * node.for_second)


def matmul_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    if node.first is not None:
        pending.add_matmul(node.first, upstream, node.for_first.t())
    if node.second is not None:
        pending.add_product(node.second, node.for_second, upstream)


# Selects: a mask to multiply by would make 0 * inf, which is NaN, of an infinite gradient.
threshold_backward = torch.ops.aten.threshold_backward.default


def relu_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    assert node.first is not None
    pending.add(node.first, threshold_backward(upstream, node.for_first, 0))


def sum_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    assert node.first is not None
    pending.add(node.first, upstream.expand(node.for_first))


def mean_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    assert node.first is not None
    shape = node.for_first
    pending.add(node.first, divided(upstream, shape.numel()).expand(shape))


def divided(gradient: torch.Tensor, count: int) -> torch.Tensor:
    """gradient / count, also where count is too large for the gradient's dtype."""
    return (gradient.double() / count).to(gradient.dtype)


# --- broadcasting --------------------------------------------------------------------------------


def aligned(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Both in one shape and dtype: stretching is an operation, so the others know nothing of it."""
    x, y = a.data, b.data
    if x.shape == y.shape and x.dtype is y.dtype:
        return a, b
    shape, dtype = torch.broadcast_shapes(x.shape, y.shape), torch.result_type(x, y)
    return stretched(a, shape, dtype), stretched(b, shape, dtype)


def stretched(tensor: Tensor, shape: torch.Size, dtype: torch.dtype) -> Tensor:
    data = tensor.data
    if data.shape == shape and data.dtype is dtype:
        return tensor
    return recorded(data.to(dtype).expand(shape), unbroadcast, tensor, (data.shape, data.dtype))


def unbroadcast(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    """Each entry was used all along the stretched axes, so it collects the sum over them."""
    assert node.first is not None
    shape, dtype = node.for_first
    pending.add(node.first, upstream.sum_to_size(shape).to(dtype))


# --- cross entropy -------------------------------------------------------------------------------


def cross_entropy(logits: Tensor, targets: torch.Tensor, reduction: str = "mean") -> Tensor:
    """-log softmax(logits)[target] of each row: for each ("none"), or their "sum" or "mean".

    One operation, on logarithms all the way, so neither huge logits nor infinite ones (-inf, a
    class that is ruled out) make a NaN; and its gradient is as simple as softmax - one_hot.
    """
    rows = logits.data
    if rows.ndim != 2 or targets.shape != rows.shape[:1]:
        shapes = f"{tuple(rows.shape)} and {tuple(targets.shape)}"
        raise RuntimeError(f"cross_entropy takes (n, classes) and (n,), not {shapes}")
    if targets.is_floating_point() or targets.is_complex() or targets.dtype is torch.bool:
        raise RuntimeError(f"targets must be integers, the classes' positions, not {targets.dtype}")
    if reduction not in REDUCTIONS:
        raise ValueError(f"reduction must be one of {', '.join(REDUCTIONS)}, not {reduction!r}")
    column = targets.long().unsqueeze(1)
    log_probabilities = torch.log_softmax(rows, dim=1)
    losses = -log_probabilities.gather(1, column).squeeze(1)
    result = recorded(losses, cross_entropy_vjp, logits, (log_probabilities, column))
    return REDUCTIONS[reduction](result)


REDUCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "none": lambda losses: losses,
    "sum": Tensor.sum,
    "mean": Tensor.mean,
}


def cross_entropy_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    assert node.first is not None
    log_probabilities, column = node.for_first
    probabilities = log_probabilities.exp()
    minus_one = torch.full_like(column, -1, dtype=probabilities.dtype)
    difference = probabilities.scatter_add(1, column, minus_one)
    pending.add(node.first, difference * upstream.unsqueeze(1))
