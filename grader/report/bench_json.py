"""A benchmark as pytest-benchmark writes it, so that `pytest-benchmark compare` reads it.

Every engine, workload and size is one benchmark there; a group is a workload and a size. What that
format has no place for stands under `autograde`: exponents, growth, why an engine stopped.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from grader.bench.benchmark import Benchmark
from grader.bench.measure import Climb


def as_text(benchmark: Benchmark) -> str:
    return json.dumps(as_data(benchmark), indent=1) + "\n"


def as_data(benchmark: Benchmark) -> dict[str, Any]:
    from pytest_benchmark import __version__
    from pytest_benchmark.plugin import pytest_benchmark_generate_machine_info
    from pytest_benchmark.utils import get_commit_info

    return {
        "machine_info": pytest_benchmark_generate_machine_info(),
        "commit_info": get_commit_info(),
        "benchmarks": [each for climb in benchmark.climbs for each in _benchmarks(climb)],
        "datetime": benchmark.started,
        "version": __version__,
        "autograde": {
            "exercise": benchmark.exercise,
            "width": benchmark.width,
            "budget": benchmark.budget,
            "absent": benchmark.absent,
            "climbs": [_climb(climb) for climb in benchmark.climbs],
        },
    }


def _benchmarks(climb: Climb) -> Iterator[dict[str, Any]]:
    for size in climb.sizes:
        stats = _stats(climb.laps[size])
        yield {
            "group": f"{climb.workload} {size}",
            "name": f"{climb.workload}[{climb.engine}-{size}]",
            "fullname": f"grader bench::{climb.workload}[{climb.engine}-{size}]",
            "params": {"engine": climb.engine, "size": size},
            "param": f"{climb.engine}-{size}",
            "extra_info": {},
            "options": {"timer": "process_time", "disable_gc": False, "warmup": True},
            "stats": stats,
        }


def _stats(seconds: Sequence[float]) -> dict[str, Any]:
    from pytest_benchmark.stats import Stats

    stats = Stats()
    for each in seconds:
        stats.update(each)
    return {**stats.as_dict(), "data": list(seconds), "iterations": 1}


def _climb(climb: Climb) -> dict[str, Any]:
    return {
        "engine": climb.engine,
        "workload": climb.workload,
        "stopped": climb.stopped,
        "exponent": None if climb.fit is None else asdict(climb.fit),
        "shape": climb.shape,
        "work": None if climb.work is None else asdict(climb.work),
        "held": [each._asdict() for each in climb.held],
        "bytes_a_step": climb.bytes_a_step,
    }
