"""The tensor reference against PyTorch's own autograd: seconds of processor time, and bytes.

    python -m grader.bench.tensor [ROUNDS]

Forward, backward and freeing are timed together, on one thread, in this process. Each round runs
both engines one right after the other, so that a slow minute slows both, and counts as one ratio;
printed are the median and the spread of the ratios, the worst first. The reference runs in
inference mode, as it does where it is graded. Memory is what a process of its own grows by while
it holds a graph.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import torch

from grader.kit.worker import Engine
from grader.project import ROOT

ROUNDS = 7
WIDTHS = (2, 8, 64, 256)
DEPTHS = (30, 1_000, 10_000, 100_000)
LONG_ENOUGH = 0.02  # seconds: shorter runs are repeated
MOST_BYTES = 2 * 2**30
ENGINES = ("ours", "torch")
LAYERS_HELD = 20_000


# By its path, as everything that is graded: nothing imports an engine as a module.
REFERENCE = Engine(str(ROOT / "reference" / "tensor.py"), stands_alone=True).fresh()


class Result(NamedTuple):
    name: str
    ours: str
    torch: str
    ratio: float
    spread: str
    target: float


# --- the programs --------------------------------------------------------------------------------


def leaf_of(engine: str) -> Callable[[torch.Tensor], Any]:
    if engine == "ours":
        return lambda data: REFERENCE.Tensor(data, requires_grad=True)
    return lambda data: data.detach().requires_grad_()


def mode_of(engine: str) -> AbstractContextManager[Any]:
    return torch.inference_mode() if engine == "ours" else nullcontext()


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64)


def residual(depth: int, width: int) -> Callable[[str], None]:
    """One row; all layers share a weight, small enough for the deepest stack to stay tame."""
    row, weight = numbers(1, width), numbers(width, width) * 0.5 / depth / width**0.5

    def run(engine: str) -> None:
        leaf = leaf_of(engine)
        h, w = leaf(row), leaf(weight)
        for _ in range(depth):
            h = h + (h @ w).relu()
        y = h.sum()
        del h
        y.backward()

    return run


def layers(depth: int, width: int, rows: int) -> Callable[[str], None]:
    """Each layer has its own weight, scaled to keep the size of what passes, and its own bias."""
    batch = numbers(rows, width)
    weights = [numbers(width, width) * (2 / width) ** 0.5 for _ in range(depth)]
    biases = [numbers(width) * 0.1 for _ in range(depth)]

    def run(engine: str) -> None:
        leaf = leaf_of(engine)
        h = leaf(batch)
        parameters = [(leaf(w), leaf(b)) for w, b in zip(weights, biases, strict=True)]
        for w, b in parameters:
            h = (h @ w + b).relu()
        y = h.sum()
        del h
        y.backward()

    return run


# --- time ----------------------------------------------------------------------------------------


def seconds(run: Callable[[str], None], engine: str, times: int) -> float:
    """Of processor time, for one run."""
    gc.collect()
    with mode_of(engine):
        start = time.process_time()
        for _ in range(times):
            run(engine)
        return (time.process_time() - start) / times


def compared(name: str, run: Callable[[str], None], rounds: int, target: float) -> Result:
    once = {engine: seconds(run, engine, 1) for engine in ENGINES}  # which warms up, too
    times = {engine: int(LONG_ENOUGH / taken) + 1 for engine, taken in once.items()}
    taken: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    for turn in range(rounds):
        for engine in ENGINES if turn % 2 else reversed(ENGINES):
            taken[engine].append(seconds(run, engine, times[engine]))
        print(f"\r{name:<40} round {turn + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    ratios = [ours / theirs for ours, theirs in zip(*taken.values(), strict=True)]
    ours, theirs = (f"{statistics.median(taken[engine]) * 1e3:.2f} ms" for engine in ENGINES)
    return result(name, ours, theirs, ratios, target)


def result(name: str, ours: str, theirs: str, ratios: list[float], target: float) -> Result:
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return Result(name, ours, theirs, statistics.median(ratios), spread, target)


# --- memory --------------------------------------------------------------------------------------


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def held(engine: str, width: int) -> float:
    """Bytes a node, of three a layer, that a forward graph takes as long as it is held."""
    leaf = leaf_of(engine)
    with mode_of(engine):
        h, w = leaf(numbers(1, width)), leaf(numbers(width, width) * 0.5 / LAYERS_HELD)
        for _ in range(100):  # so that what is allocated once is not counted
            (h + (h @ w).relu()).sum().backward()
        gc.collect()
        before = resident()
        for _ in range(LAYERS_HELD):
            h = h + (h @ w).relu()
        gc.collect()
        return (resident() - before) / LAYERS_HELD / 3


def compared_memory(width: int, rounds: int) -> Result:
    name = f"bytes a node, width {width}"
    taken: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    for turn in range(min(rounds, 3)):
        for engine in ENGINES:
            command = (sys.executable, "-m", "grader.bench.tensor", "--held", engine, str(width))
            ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
            taken[engine].append(float(ran.stdout))
        print(f"\r{name:<40} round {turn + 1}", end="", file=sys.stderr, flush=True)
    ratios = [ours / theirs for ours, theirs in zip(*taken.values(), strict=True)]
    ours, theirs = (f"{statistics.median(taken[engine]):.0f} B" for engine in ENGINES)
    return result(name, ours, theirs, ratios, 1.0)


# --- the table -----------------------------------------------------------------------------------


def main(rounds: int) -> None:
    results = []
    for depth in DEPTHS:
        for width in WIDTHS:
            name = f"residual stack, depth {depth}, width {width}"
            if 3 * depth * width * 8 > MOST_BYTES:
                print(f"{name}: left out, its graph holds more than 2 GiB")
                continue
            few = min(rounds, 3) if depth * width > 5_000_000 else rounds
            target = 0.95 if depth > 10_000 else 0.75
            results.append(compared(name, residual(depth, width), few, target))
    name = "a weight a layer, depth 100, width 64"
    results.append(compared(name, layers(100, 64, rows=32), rounds, 1.1))
    results.extend(compared_memory(width, rounds) for width in WIDTHS)
    print(file=sys.stderr)
    print(f"{'':<40} {'ratio':>5}  {'(spread)':<14} {'target':>6}      {'ours':>12} {'torch':>12}")
    for line in sorted(results, key=lambda line: line.ratio / line.target, reverse=True):
        met = "met" if line.ratio <= line.target else "NOT MET"
        print(
            f"{line.name:<40} {line.ratio:5.2f}  ({line.spread})  {line.target:6.2f} {met:<8}"
            f" {line.ours:>12} {line.torch:>12}"
        )


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    if sys.argv[1:2] == ["--held"]:
        print(held(sys.argv[2], int(sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
