"""The tensor reference: as PyTorch's autograd, and no node is walked twice or kept too long."""

import doctest
import gc
import itertools
import random
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from reference import tensor as engine
from reference.tensor import Tensor, cross_entropy, no_grad

SHAPES = [(), (1,), (3,), (2, 3), (2, 1), (1, 3), (4, 1, 3), (4, 2, 1), (5, 1, 2, 3), (1, 1, 1, 1)]
PAIRS = [(a, b) for a in SHAPES for b in SHAPES if {len(a), len(b)} != {3, 4}]
ELEMENTWISE: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "relu": lambda a: a.relu(),
    "sum": lambda a: a.sum(),
    "mean": lambda a: a.mean(),
}
DTYPES = [torch.float32, torch.float64, torch.float16]


def numbers(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, dtype=torch.float64, generator=generator).to(dtype)


def leaf(*entries: float, dtype: torch.dtype = torch.float64) -> Tensor:
    return Tensor(torch.tensor(entries, dtype=dtype), requires_grad=True)


def agree(program: Callable[..., Any], *data: torch.Tensor) -> None:
    """The program's result and all its gradients are those of PyTorch."""
    ours = [Tensor(x.clone(), requires_grad=True) for x in data]
    theirs = [x.clone().requires_grad_() for x in data]
    result, expected = program(*ours), program(*theirs)
    upstream = numbers(*expected.shape, seed=99).to(expected.dtype)
    result.backward(upstream)
    expected.backward(upstream)
    torch.testing.assert_close(result.data, expected.detach())
    for mine, other in zip(ours, theirs, strict=True):
        assert other.grad is not None
        assert mine.grad is not None
        torch.testing.assert_close(mine.grad, other.grad)
        assert mine.grad.is_contiguous()


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, *names: str) -> Iterator[Counter[str]]:
    """How often the functions of these names are called."""
    counts: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            counts[name] += 1
            return function(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        for name in names:
            patch.setattr(owner, name, counting(name, getattr(owner, name)))
        yield counts


def test_the_example_in_its_docstring_is_true() -> None:
    assert doctest.testmod(engine).failed == 0
    assert doctest.testmod(engine).attempted > 0


# --- gradients -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_stretched_operands(name: str, pair: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    agree(ELEMENTWISE[name], numbers(*pair[0]), numbers(*pair[1], seed=1))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_operations_on_one_operand(name: str, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    agree(UNARY[name], numbers(*shape, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("n", "m", "p"), [(1, 1, 1), (2, 3, 4), (1, 8, 8), (40, 3, 2), (0, 2, 3)])
def test_matmul(n: int, m: int, p: int, dtype: torch.dtype) -> None:
    agree(lambda a, b: a @ b, numbers(n, m, dtype=dtype), numbers(m, p, dtype=dtype, seed=1))


@pytest.mark.parametrize("dtypes", list(itertools.permutations(DTYPES, 2)), ids=str)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_operands_of_different_dtypes(name: str, dtypes: tuple[torch.dtype, torch.dtype]) -> None:
    agree(ELEMENTWISE[name], numbers(3, dtype=dtypes[0]), numbers(2, 3, dtype=dtypes[1], seed=1))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)], ids=str)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_operands_without_entries(name: str, shape: tuple[int, ...]) -> None:
    agree(ELEMENTWISE[name], numbers(*shape), numbers(1))


PROGRAMS: dict[str, Callable[..., Any]] = {
    "twice the same operand": lambda x, w: x * x + x * w,
    "a product with itself": lambda x, w: w @ w @ w + x,
    "a weight used in two ways": lambda x, w: x @ w + w.sum() + (w * w).mean(),
    "a weight that is a result": lambda x, w: x @ (w * w) @ (w * w),
    "a diamond": lambda x, w: (x @ w).relu() * (x @ w - x),
    "a stretched sum": lambda x, w: x.sum() * w + x.mean(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    program = PROGRAMS[name]
    agree(lambda x, w: program(x, w) * (x + w).sum(), numbers(3, 3), numbers(3, 3, seed=1))


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int) -> None:
    def program(*leaves: Any) -> Any:
        choose = random.Random(seed)  # noqa: S311
        values = list(leaves)
        for _ in range(25):
            a, b = choose.choices(values, k=2)
            name = choose.choice([*ELEMENTWISE, *UNARY, "matmul", "matmul"])
            if name == "matmul":
                values.append(leaves[-2] @ leaves[-1].relu())
                values.append(values[-1] @ leaves[-1])
            elif name in UNARY:
                values.append(UNARY[name](a))
            else:
                values.append(ELEMENTWISE[name](a, b) * leaves[0])
        total = values[0].sum()
        for value in values[1:]:
            total = total + value.mean()
        return total

    shapes = [(), (3,), (1, 3), (2, 1, 3), (2, 1, 1, 3), (3, 3), (3, 3)]
    agree(program, *(numbers(*shape, seed=seed * 10 + i) / 2 for i, shape in enumerate(shapes)))


def test_a_deep_stack_with_one_weight_agrees() -> None:
    def program(x: Any, w: Any) -> Any:
        for _ in range(700):
            x = x + (x @ w).relu()
        return x.sum()

    agree(program, numbers(1, 4), numbers(4, 4, seed=1) / 1000)
    agree(program, numbers(5, 4), numbers(4, 4, seed=1) / 1000)


def test_relu_is_flat_at_zero_and_selects() -> None:
    x = leaf(-1.0, 0.0, 2.0)
    x.relu().backward(torch.tensor([torch.inf, torch.nan, torch.inf], dtype=torch.float64))
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 0.0, torch.inf]


def test_a_mean_of_more_entries_than_float16_can_count() -> None:
    x = Tensor(torch.ones(70_000, dtype=torch.float16), requires_grad=True)
    (x.mean() * Tensor(torch.tensor(1024.0, dtype=torch.float16))).backward()
    assert x.grad is not None
    assert x.grad[0].item() == pytest.approx(1024 / 70_000, rel=1e-3)


# --- who gets a gradient -------------------------------------------------------------------------


@pytest.mark.parametrize("needs", list(itertools.product([False, True], repeat=2)), ids=str)
@pytest.mark.parametrize("name", [*ELEMENTWISE, "matmul"])
def test_a_result_needs_a_gradient_if_an_operand_does(name: str, needs: tuple[bool, bool]) -> None:
    operation = ELEMENTWISE.get(name, lambda a, b: a @ b)
    a, b = (Tensor(numbers(2, 2, seed=i), requires_grad=need) for i, need in enumerate(needs))
    result = operation(a, b)
    assert result.requires_grad == any(needs)
    assert (result.node is not None) == any(needs)
    if any(needs):
        result.sum().backward()
    assert ((a.grad is not None), (b.grad is not None)) == needs
    assert result.grad is None


def test_gradients_add_up_out_of_place() -> None:
    x = leaf(1.0, 2.0)
    mine = torch.tensor([10.0, 20.0], dtype=torch.float64)
    x.grad = mine
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    assert x.grad.tolist() == [14.0, 28.0]
    assert first.tolist() == [12.0, 24.0]
    assert mine.tolist() == [10.0, 20.0]


SHARED: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "sums": lambda x, y: x.sum() + y.sum(),
    "means": lambda x, y: x.mean() + y.mean(),
}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", SHARED)
def test_every_gradient_has_memory_of_its_own(name: str, size: int) -> None:
    x, y = leaf(*range(size)), leaf(*range(size))
    result = SHARED[name](x, y)
    upstream = torch.ones_like(result.data)
    result.backward(upstream)
    assert x.grad is not None
    assert y.grad is not None
    tensors = [x.data, y.data, x.grad, y.grad, upstream]
    assert len({tensor.untyped_storage().data_ptr() for tensor in tensors}) == len(tensors)
    x.grad += 1
    assert y.grad.abs().max() <= 1


def test_the_data_of_a_leaf_is_detached() -> None:
    x = Tensor(torch.ones(2, requires_grad=True), requires_grad=True)
    assert not x.data.requires_grad
    (x * x).sum().backward()
    assert x.grad is not None
    assert not x.grad.requires_grad


@pytest.mark.parametrize("forward_too", [False, True])
def test_gradients_are_no_inference_tensors(forward_too: bool) -> None:  # noqa: FBT001
    x, w = Tensor(numbers(1, 3), requires_grad=True), Tensor(numbers(3, 3), requires_grad=True)
    with torch.inference_mode(forward_too):
        y = (x @ w + x).sum()
    y.backward()
    assert x.grad is not None
    assert w.grad is not None
    assert not x.grad.is_inference()
    assert not w.grad.is_inference()


def test_tensors_are_equal_to_themselves_only() -> None:
    x = leaf(1.0)
    assert {x: "x"}[x] == "x"
    assert x != leaf(1.0)


# --- backward ------------------------------------------------------------------------------------


def test_the_gradient_of_a_leaf_itself() -> None:
    x = leaf(3.0)
    x.backward()
    x.backward(torch.tensor([2.0], dtype=torch.float64))
    assert x.grad is not None
    assert x.grad.tolist() == [3.0]


def test_a_retained_graph_gives_its_gradients_again() -> None:
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad is not None
    assert x.grad.tolist() == [4.0, 8.0]
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()


def test_nothing_has_changed_where_backward_raises() -> None:
    x = leaf(1.0, 2.0)
    shared = x * x
    first, second = shared.sum(), (shared * leaf(1.0, 1.0)).sum() + x.sum()
    first.backward()
    before = x.grad
    with pytest.raises(RuntimeError, match="freed"):
        second.backward()
    assert x.grad is before
    (x * x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [4.0, 8.0]


ERRORS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "integers": (lambda: Tensor(torch.tensor([1]), requires_grad=True), RuntimeError, "int64"),
    "truths": (lambda: Tensor(torch.tensor([True]), requires_grad=True), RuntimeError, "bool"),
    "no gradient": (lambda: Tensor(numbers()).backward(), RuntimeError, "require"),
    "many entries": (lambda: leaf(1.0, 2.0).backward(), RuntimeError, r"\(2,\)"),
    "other shape": (lambda: leaf(1.0).backward(numbers(2)), RuntimeError, r"\(2,\).*\(1,\)"),
    "a vector": (lambda: Tensor(numbers(2, 3)) @ Tensor(numbers(3)), RuntimeError, r"\(3,\)"),
    "sizes": (lambda: Tensor(numbers(2, 3)) @ Tensor(numbers(2, 3)), RuntimeError, r"\(2, 3\) @ "),
    "a batch": (lambda: Tensor(numbers(1, 2, 2)) @ Tensor(numbers(2, 2)), RuntimeError, "1, 2, 2"),
    "no fit": (lambda: leaf(1.0, 2.0) + leaf(1.0, 2.0, 3.0), RuntimeError, "2.*3"),
    "no tensor": (lambda: leaf(1.0) + torch.ones(1), TypeError, "Tensor"),  # type: ignore[operator]
    "targets": (lambda: cross_entropy(leaf(1.0), torch.tensor([0])), RuntimeError, r"\(1,\)"),
    "floats": (
        lambda: cross_entropy(Tensor(numbers(1, 2)), numbers(1)),
        RuntimeError,
        "integers.*float64",
    ),
    "reduction": (
        lambda: cross_entropy(Tensor(numbers(1, 2)), torch.tensor([0]), "max"),
        ValueError,
        "none, sum or mean.*'max'",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name: str) -> None:
    call, kind, message = ERRORS[name]
    with pytest.raises(kind, match=message):
        call()


# --- no_grad -------------------------------------------------------------------------------------


def recorded() -> bool:
    return (leaf(1.0) * leaf(1.0)).requires_grad


def test_no_grad_acts_where_it_is_entered() -> None:
    guard = no_grad()
    assert recorded()
    with guard:
        assert not recorded()
        with no_grad(), guard:
            assert not recorded()
        assert not recorded()
        assert leaf(1.0).requires_grad
    assert recorded()


def test_no_grad_ends_where_an_error_leaves_it() -> None:
    with pytest.raises(KeyError), no_grad():
        raise KeyError
    assert recorded()


def test_no_grad_decorates() -> None:
    @no_grad()
    def inside(depth: int) -> bool:
        return recorded() or (depth > 0 and inside(depth - 1))

    assert not inside(3)
    assert recorded()


def test_no_grad_is_for_one_thread() -> None:
    seen: list[bool] = []
    with no_grad():
        thread = threading.Thread(target=lambda: seen.append(recorded()))
        thread.start()
        thread.join()
    assert seen == [True]


# --- what it costs, counted ----------------------------------------------------------------------


def test_each_rule_runs_once_however_many_paths_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch, engine, "add_vjp", "mul_vjp") as rules:
        x = leaf(1e-9)
        y = x
        for _ in range(100):
            y = y + y * y
        y.sum().backward()
    assert rules == {"add_vjp": 100, "mul_vjp": 100}


def test_a_weight_s_products_are_multiplied_together(monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = (
        Tensor(numbers(1, 8), requires_grad=True),
        Tensor(numbers(8, 8) / 1e4, requires_grad=True),
    )
    for _ in range(1000):
        x = x + (x @ w).relu()
    with counted(monkeypatch, torch, "mm", "addmm") as products:
        x.sum().backward()
    assert products["mm"] + products["addmm"] <= 1000 + 10


@contextmanager
def without_gc() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_half_a_million_nodes_go_forward_backward_and_away() -> None:
    with without_gc():
        x = leaf(1.0)
        y = x
        for _ in range(500_000):
            y = y + x
        y.backward(retain_graph=True)
        assert x.grad is not None
        assert x.grad.tolist() == [500_001.0]
        gone = weakref.ref(y.data)
        del y
        assert gone() is None


@pytest.mark.parametrize("backward", [False, True])
def test_memory_returns_without_the_garbage_collector(backward: bool) -> None:  # noqa: FBT001
    with without_gc():
        x, w = Tensor(numbers(2, 3), requires_grad=True), Tensor(numbers(3, 3), requires_grad=True)
        results = [x @ w, (x @ w).relu(), x * x, x + w.sum(), x - w.mean()]
        loss = cross_entropy(x @ w, torch.tensor([0, 2]))
        for result in results:
            loss = loss + result.sum()
        gone = [weakref.ref(result.data) for result in results]
        if backward:
            loss.backward()
        del results, result, loss
        assert [ref() for ref in gone] == [None] * len(gone)


def test_results_that_need_no_gradient_hold_nothing() -> None:
    with without_gc():
        x = Tensor(numbers(2, 2))
        between = x * x
        gone = weakref.ref(between.data)
        y = between * between
        with no_grad():
            z = leaf(1.0) * y
        del between
        assert gone() is None
        assert y.node is None
        assert z.node is None


@pytest.mark.parametrize("retain", [False, True])
def test_the_graph_goes_while_backward_walks(
    retain: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: list[weakref.ref[torch.Tensor]] = []
    alive: list[int] = []
    rule = engine.relu_vjp

    def watched(*arguments: Any) -> None:
        alive.append(sum(ref() is not None for ref in kept))
        rule(*arguments)

    monkeypatch.setattr(engine, "relu_vjp", watched)
    y = leaf(1.0)
    for _ in range(50):
        y = y.relu()
        kept.append(weakref.ref(y.data))
    y.backward(retain_graph=retain)
    assert alive == ([50] * 50 if retain else [50, *range(50, 1, -1)])


# --- cross entropy -------------------------------------------------------------------------------

LOGITS = {
    "plain": [[0.5, -1.0, 2.0], [1.0, 1.0, 1.0]],
    "huge": [[1e4, 0.0, -1e4], [-1e4, 1e4, 1e4]],
    "ruled out": [[0.5, -torch.inf, 2.0], [-torch.inf, -torch.inf, 3.0]],
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("name", LOGITS)
def test_cross_entropy(name: str, reduction: str, dtype: torch.dtype) -> None:
    targets = torch.tensor([0, 2], dtype=torch.int32)

    def loss(logits: Any) -> Any:
        if isinstance(logits, Tensor):
            return cross_entropy(logits, targets, reduction)
        return F.cross_entropy(logits, targets.long(), reduction=reduction)

    agree(loss, torch.tensor(LOGITS[name], dtype=dtype))
