"""A benchmark as data: what pytest-benchmark reads, and what it has no place for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.report.bench_json import as_data, as_text
from tests.report.benchmarks import benchmark


def test_pytest_benchmark_compares_it(tmp_path: Path) -> None:
    """The consumer itself: every group with its engines, and how many times the fastest's time."""
    file = tmp_path / "bench.json"
    file.write_text(as_text(benchmark()), encoding="utf-8")
    command = [sys.executable, "-m", "pytest_benchmark", "compare", str(file)]
    options = ["--group-by", "group", "--columns", "median,rounds", "--sort", "name"]
    ran = subprocess.run(
        [*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (group,) = (part for part in ran.stdout.split("\n\n") if "'residual 1000'" in part)
    rows = {line.split()[0]: line for line in group.splitlines() if line.startswith("residual[")}
    names = ["residual[candidate-1000]", "residual[reference-1000]", "residual[torch-1000]"]
    assert list(rows) == names
    assert "10.0000 (1.0)" in rows["residual[reference-1000]"]
    assert "30.0000 (3.00)" in rows["residual[torch-1000]"]
    assert all(row.endswith(" 3") for row in rows.values())


def test_every_lap_is_in_it() -> None:
    (found,) = (
        each
        for each in as_data(benchmark())["benchmarks"]
        if each["name"] == "residual[reference-1000]"
    )
    assert found["stats"]["data"] == pytest.approx([0.01, 0.011, 0.0095])
    assert found["stats"]["median"] == pytest.approx(0.01)
    assert found["params"] == {"engine": "reference", "size": 1_000}


def test_exponents_growth_and_reasons_stand_beside() -> None:
    told = json.loads(as_text(benchmark()))["autograde"]
    _, slow, *_ = told["climbs"]
    assert slow["engine"] == "candidate"
    assert slow["stopped"] == "at 3,000: late"
    assert slow["shape"] == "quadratic"
    assert slow["work"]["kind"] == "quadratic"
    assert slow["exponent"]["exponent"] == pytest.approx(2)
    assert slow["bytes_a_step"] == pytest.approx(900 / 0.9 / 3)
    assert told["absent"] == {"jax": "jax: cannot be imported: No module named 'jax'"}
