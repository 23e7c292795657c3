"""How much work the engines and the loop do, against others': ratios that are kept.

Work is counted, not timed: events of Python for the engines, calls of functions for the loop. So a
ratio is the same on every machine, and a change of it is a change of the code. One that is meant is
kept with RENEW_GOLDEN=1.
"""

import json
import os
import pstats
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.bench.contestants import contestant
from grader.files import write_tree
from tests.golden import RENEW
from tests.session.kits import kit

KEPT = Path(__file__).parent / "golden" / "ratios.json"
NEARLY = 0.1  # versions of Python differ a little in what is an event
WORKLOADS = ("residual", "chain", "wide")
ENGINES = [
    *((f"reference, {workload}", workload, "tiny") for workload in WORKLOADS),
    *((f"tensor's reference, {workload}", workload, "tensor") for workload in WORKLOADS),
]
LOOP = "pytest -k stage1 in a kit"


def kept(name: str, ratio: float) -> float:
    """What is kept under that name, after it was renewed if that is wanted."""
    ratios: dict[str, float] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if os.environ.get(RENEW):
        ratios[name] = round(ratio, 3)
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(ratios, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return ratios[name]


@pytest.fixture(scope="module")
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def work_a_step(name: str, exercise: str, workload: str, stack: ExitStack) -> float:
    """Events for one more layer, addition or branch."""
    growth = contestant(name, exercise, 2, "auto", 20.0, stack).growth(workload, 1_000)
    assert growth is not None
    assert growth.kind == "linear"
    a, b = growth.points[-2:]
    return (b.work - a.work) / (b.depth - a.depth)


@pytest.mark.parametrize(("name", "workload", "exercise"), ENGINES, ids=[e[0] for e in ENGINES])
def test_an_engine_does_no_more_work_for_a_step_than_it_did(
    name: str, workload: str, exercise: str, stack: ExitStack
) -> None:
    """Against micrograd, which is what it always was."""
    theirs = work_a_step("micrograd", "tiny", workload, stack)
    ratio = work_a_step("reference", exercise, workload, stack) / theirs
    assert ratio == pytest.approx(kept(name, ratio), rel=NEARLY)


def calls(folder: Path, *arguments: str) -> int:
    """How many functions a run of pytest calls."""
    file = folder / "calls.prof"
    command = [sys.executable, "-m", "cProfile", "-o", str(file), "-m", "pytest", *arguments]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    total: int = pstats.Stats(str(file)).total_calls  # type: ignore[attr-defined]
    return total


def test_the_loop_calls_no_more_functions_than_it_did(tmp_path: Path) -> None:
    """Against a run of pytest with nothing to do."""
    empty, full = tmp_path / "empty", tmp_path / "kit"
    empty.mkdir()
    write_tree(full, kit("tiny", 1))
    nothing = calls(empty, "--disable-plugin-autoload", "-p", "pytest_timeout")
    calls(full, "-k", "stage1")  # writes what is compiled only once
    ratio = calls(full, "-k", "stage1") / nothing
    assert ratio == pytest.approx(kept(LOOP, ratio), rel=NEARLY)
