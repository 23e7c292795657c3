"""A reverse-mode autograd engine over PyTorch's tensors, used as storage and kernels only.

Every operation that needs a gradient leaves one Node behind: the rule of its backward pass, what
that rule needs, and the sources of its operands. Nodes and leaves are numbered as they are made,
so the newest that a gradient has reached has heard from everything that uses it. Backward takes
them in that order: a topological order without a sort, a visited set or recursion.

    >>> x = Tensor(torch.tensor([3.0, 0.5]), requires_grad=True)
    >>> y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([6., 1.])

A tensor knows its node and a node its sources, never the other way round. So there are no cycles,
results that nobody needs go at once, and a node's memory goes as soon as backward has passed it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ContextDecorator
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias

import torch

# Counted downwards: heapq gives the smallest first, and the newest is wanted.
numbers = count(0, -1)


class Recording(threading.local):
    paused = 0  # the number of `no_grad`s that this thread is in


recording = Recording()


class no_grad(ContextDecorator):  # noqa: N801 (used as a function is)
    """Record nothing: `with no_grad(): ...` or `@no_grad()`, in this thread only."""

    def __enter__(self) -> None:
        recording.paused += 1

    def __exit__(self, *raised: object) -> None:
        recording.paused -= 1


# --- tensors and the graph -----------------------------------------------------------------------


class Tensor:
    """A torch tensor that knows how it was made, if anything it was made of needs a gradient.

    Leaves are made by hand; those with `requires_grad` collect a `grad`, results never do.
    """

    __slots__ = ("__weakref__", "data", "grad", "node", "number", "requires_grad")

    def __init__(self, data: torch.Tensor, requires_grad: bool = False) -> None:  # noqa: FBT001, FBT002
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(f"only floating point data can require a gradient, not {data.dtype}")
        self.data = data.detach() if data.requires_grad else data
        self.grad: torch.Tensor | None = None
        self.requires_grad = requires_grad
        self.node: Node | None = None
        self.number = next(numbers)

    def __add__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        result = self.data + other.data
        a, b = aligned(self, other, result)
        return recorded(result, add_vjp, a, None, b, None)

    def __sub__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        result = self.data - other.data
        a, b = aligned(self, other, result)
        return recorded(result, sub_vjp, a, None, b, None)

    def __mul__(self, other: Tensor) -> Tensor:
        if not isinstance(other, Tensor):
            return NotImplemented
        result = self.data * other.data
        a, b = aligned(self, other, result)
        return recorded(result, mul_vjp, a, b.data, b, a.data)

    def __matmul__(self, other: Tensor) -> Tensor:
        """(n, m) @ (m, p) and nothing else."""
        if not isinstance(other, Tensor):
            return NotImplemented
        x, w = self.data, other.data
        try:
            result = torch.mm(x, w)
        except RuntimeError as error:
            given = f"{tuple(x.shape)} @ {tuple(w.shape)}"
            raise RuntimeError(f"matmul takes (n, m) @ (m, p), not {given}: {error}") from error
        return recorded(result, matmul_vjp, self, w, other, x)

    def relu(self) -> Tensor:
        result = self.data.relu()
        return recorded(result, relu_vjp, self, result)

    def sum(self) -> Tensor:
        return recorded(self.data.sum(), sum_vjp, self, self.data.shape)

    def mean(self) -> Tensor:
        return recorded(self.data.mean(), mean_vjp, self, self.data.shape)

    def backward(self, gradient: torch.Tensor | None = None, retain_graph: bool = False) -> None:  # noqa: FBT001, FBT002
        """Add d self / d leaf, weighed by `gradient`, to the grad of each leaf that requires one.

        The graph is freed on the way, unless it is to be retained. Leaves change last of all and
        all together: where anything raises, none has changed.
        """
        shape = tuple(self.data.shape)
        if not self.requires_grad:
            raise RuntimeError("backward from a tensor that does not require a gradient")
        if gradient is None:
            if self.data.numel() != 1:
                raise RuntimeError(f"backward from a tensor of shape {shape} needs a gradient")
            gradient = torch.ones_like(self.data)
        if gradient.shape != shape:
            raise RuntimeError(f"a gradient of shape {tuple(gradient.shape)} for one of {shape}")
        gradient = gradient.detach().to(self.data.dtype)
        pending = Pending()
        pending.add(self.node or self, gradient)
        reached = pending.walk(retain_graph=retain_graph)
        taken = {gradient.data_ptr()}
        grads = [collected(leaf, arrived, taken) for leaf, arrived in reached]
        for (leaf, _), grad in zip(reached, grads, strict=True):
            leaf.grad = grad


class Node:
    """One recorded operation, on one or two operands.

    `first` and `second` are the sources of those operands that need a gradient, `for_first` and
    `for_second` what the rule needs for it. A node without a rule has been freed.
    """

    __slots__ = ("first", "for_first", "for_second", "number", "second", "vjp")

    number: int
    vjp: Vjp | None
    first: Source | None
    for_first: Any
    second: Source | None
    for_second: Any

    def free(self) -> None:
        self.vjp = self.first = self.for_first = self.second = self.for_second = None


Source: TypeAlias = Node | Tensor  # where a gradient goes: on through an operation, or to a leaf


def recorded(
    data: torch.Tensor,
    vjp: Vjp,
    first: Tensor,
    for_first: Any,
    second: Tensor | None = None,
    for_second: Any = None,
) -> Tensor:
    """An operation's result, with a node if an operand needs a gradient."""
    first_source = first.node or (first if first.requires_grad else None)
    second_source = second and (second.node or (second if second.requires_grad else None))
    if (first_source is None and second_source is None) or recording.paused:
        return Tensor(data)
    node = Node()  # filled in here, and no constructor called: deep graphs spend their time on this
    node.number = next(numbers)
    node.vjp = vjp
    node.first = first_source
    node.for_first = first_source and for_first
    node.second = second_source
    node.for_second = second_source and for_second
    result = Tensor.__new__(Tensor)
    result.data = data
    result.grad = None
    result.requires_grad = True
    result.node = node
    return result


# --- backward ------------------------------------------------------------------------------------


class Pending:
    """The gradients on their way: what has arrived for each source, summed up, until it is taken.

    Nothing is added in place, since one gradient may be on its way to several sources.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []  # a heap
        self.sources: dict[int, Source] = {}
        self.arrived: dict[int, torch.Tensor] = {}
        self.factors: dict[int, Factors] = {}  # of products that have arrived as well
        self.last = self.last_transposed = torch.empty(0, 0)

    def walk(self, *, retain_graph: bool) -> list[tuple[Tensor, torch.Tensor]]:
        """Each leaf that gradients arrive at, and their sum."""
        leaves = []
        while self.numbers:
            number = heappop(self.numbers)
            source = self.sources[number]
            if number in self.factors:
                self.multiply_out(source)
            del self.sources[number]
            upstream = self.arrived.pop(number)
            if isinstance(source, Tensor):
                leaves.append((source, upstream))
                continue
            if source.vjp is None:
                raise RuntimeError("backward a second time: the graph was freed (see retain_graph)")
            source.vjp(source, upstream, self)
            if not retain_graph:
                source.free()
        return leaves

    def expect(self, source: Source) -> None:
        if source.number not in self.sources:
            self.sources[source.number] = source
            heappush(self.numbers, source.number)

    def add(self, source: Source | None, gradient: torch.Tensor) -> None:
        if source is None:
            return
        number = source.number
        if number in self.arrived:
            self.arrived[number] = self.arrived[number] + gradient
        else:
            self.arrived[number] = gradient
            self.expect(source)

    def add_product(self, source: Source, a: torch.Tensor, b: torch.Tensor) -> None:
        """Add a @ b, in one kernel."""
        number = source.number
        if number in self.arrived:
            self.arrived[number] = torch.addmm(self.arrived[number], a, b)
        else:
            self.add(source, torch.mm(a, b))

    def add_product_later(self, source: Source, x: torch.Tensor, g: torch.Tensor) -> None:
        """Add x^T @ g, but once there is more to multiply.

        A weight's gradient is a sum of such products, one for each use, and x1^T @ g1 +
        x2^T @ g2 + ... is a single product: of the x, one below the other, and the g.
        """
        factors = self.factors.get(source.number)
        if factors is None:
            factors = self.factors[source.number] = Factors(x.size(1) * g.size(1))
            self.expect(source)
        factors.xs.append(x)
        factors.gs.append(g)
        factors.entries += x.numel() + g.numel()
        if factors.entries >= factors.enough:
            self.multiply_out(source)

    def multiply_out(self, source: Source) -> None:
        factors = self.factors.pop(source.number)
        xs, gs = factors.xs, factors.gs
        x, g = (xs[0], gs[0]) if len(xs) == 1 else (torch.cat(xs), torch.cat(gs))
        self.add_product(source, x.t(), g)

    def transposed(self, w: torch.Tensor) -> torch.Tensor:
        """Successive layers may share their weight, and then this view of it."""
        if w is not self.last:
            self.last, self.last_transposed = w, w.t()
        return self.last_transposed


class Factors:
    """The factors of products that wait, until they take more memory than their sum, or 16 KB."""

    def __init__(self, entries_of_product: int) -> None:
        self.xs: list[torch.Tensor] = []
        self.gs: list[torch.Tensor] = []
        self.entries = 0
        self.enough = max(entries_of_product, 2048)


def collected(leaf: Tensor, gradient: torch.Tensor, taken: set[int]) -> torch.Tensor:
    """The leaf's grad with `gradient` added, in memory of its own.

    One gradient, or views of it, may have gone to several leaves: `taken` has their addresses.
    """
    if leaf.grad is not None:
        return (leaf.grad + gradient).contiguous()
    if gradient.data_ptr() in taken or not gradient.is_contiguous():
        gradient = gradient.clone(memory_format=torch.contiguous_format)
    taken.add(gradient.data_ptr())
    return gradient


# --- the rules -----------------------------------------------------------------------------------
# vjp(node, upstream, pending) adds, for each source, its gradient in the operand's shape and dtype;
# upstream is d output / d result, in the result's.

Vjp: TypeAlias = Callable[[Node, torch.Tensor, Pending], None]


def add_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    pending.add(node.first, upstream)
    pending.add(node.second, upstream)


def sub_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
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
        pending.add_product(node.first, upstream, pending.transposed(node.for_first))
    if node.second is not None:
        pending.add_product_later(node.second, node.for_second, upstream)


# It selects: times a mask, an infinite gradient would become 0 * inf, which is NaN.
threshold_backward = torch.ops.aten.threshold_backward.default


def relu_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    pending.add(node.first, threshold_backward(upstream, node.for_first, 0))


def sum_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    pending.add(node.first, upstream.expand(node.for_first))


def mean_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    shape = node.for_first
    share = upstream.double() / shape.numel()  # the count itself may be too large for a float16
    pending.add(node.first, share.to(upstream.dtype).expand(shape))


def aligned(a: Tensor, b: Tensor, result: torch.Tensor) -> tuple[Tensor, Tensor]:
    """Both in the result's shape and dtype: stretching is an operation of its own."""
    x, y = a.data, b.data
    if x.shape == y.shape and x.dtype is y.dtype:
        return a, b
    return stretched(a, result), stretched(b, result)


def stretched(tensor: Tensor, result: torch.Tensor) -> Tensor:
    data = tensor.data
    if data.shape == result.shape and data.dtype is result.dtype:
        return tensor
    view = data.to(result.dtype).expand(result.shape)
    return recorded(view, unbroadcast, tensor, (data.shape, data.dtype))


def unbroadcast(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    """Each entry was used all along the stretched axes, so it collects the sum over them."""
    shape, dtype = node.for_first
    pending.add(node.first, upstream.sum_to_size(shape).to(dtype))


def cross_entropy(logits: Tensor, targets: torch.Tensor, reduction: str = "mean") -> Tensor:
    """-log softmax(logits)[target] of each row: all of these ("none"), their "sum" or "mean".

    Probabilities stay logarithms, so neither huge logits nor infinite ones (-inf, a class that is
    ruled out) make a NaN; and of softmax and log together the gradient is softmax - one_hot.
    """
    rows = logits.data
    if rows.ndim != 2 or targets.shape != rows.shape[:1]:
        shapes = f"{tuple(rows.shape)} and {tuple(targets.shape)}"
        raise RuntimeError(f"cross_entropy takes (n, classes) and (n,), not {shapes}")
    if targets.is_floating_point() or targets.is_complex() or targets.dtype is torch.bool:
        raise RuntimeError(f"targets must be integers, the classes' positions, not {targets.dtype}")
    if reduction not in ("none", "sum", "mean"):
        raise ValueError(f"reduction must be none, sum or mean, not {reduction!r}")
    column = targets.long().unsqueeze(1)
    log_probabilities = torch.log_softmax(rows, dim=1)
    losses = -log_probabilities.gather(1, column).squeeze(1)
    result = recorded(losses, cross_entropy_vjp, logits, (log_probabilities, column))
    if reduction == "none":
        return result
    return result.sum() if reduction == "sum" else result.mean()


def cross_entropy_vjp(node: Node, upstream: torch.Tensor, pending: Pending) -> None:
    log_probabilities, column = node.for_first
    minus_one = torch.full_like(column, -1, dtype=upstream.dtype)
    difference = log_probabilities.exp().scatter_add(1, column, minus_one)
    pending.add(node.first, difference * upstream.unsqueeze(1))
