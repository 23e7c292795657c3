"""Whole commands, timed from outside and interleaved, so that a slow minute slows all of them.

    python -m grader.bench [ROUNDS]

Each round runs every command once. Printed are the median and the spread over the rounds, and for
the candidate's loop, in a fresh kit, the ratio, round by round, to a run of pytest that has nothing
to do.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader.project import ROOT

ROUNDS = 11
PYTEST = (sys.executable, "-m", "pytest")
# The flags of pyproject.toml but for the project's own plugin.
FLAGS = ("--disable-plugin-autoload", "-p", "pytest_timeout", "-k", "stage1")
GRADER = (sys.executable, "-m", "grader")
EMPTY, LOOP = "pytest, nothing to do", "pytest -k stage1"
MOST = {
    LOOP: "at most 2.0 x pytest's empty run",
    "grader grade candidate": "at most 4 s",
    "grader grade reference --seed 7": "at most 0.6 s",
    "grader --help": "at most 0.15 s",
}


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as made:
        empty = Path(made, "empty")
        empty.mkdir()
        (empty / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        new = (*GRADER, "new", "session", "--seed", "7")
        subprocess.run(new, cwd=made, check=True, capture_output=True)
        commands: dict[str, tuple[tuple[str, ...], Path]] = {
            EMPTY: ((*PYTEST, *FLAGS), empty),
            LOOP: ((*PYTEST, "-k", "stage1"), Path(made, "session", "kit")),
            "grader grade candidate": ((*GRADER, "grade", "candidate"), ROOT),
            "grader grade reference --seed 7": (
                (*GRADER, "grade", "reference", "--seed", "7"),
                ROOT,
            ),
            "grader --help": ((*GRADER, "--help"), ROOT),
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(-1, rounds):  # the first round only warms up
            for name, (command, folder) in commands.items():
                taken = timed(command, folder)
                if turn >= 0:
                    seconds[name].append(taken)
            print(f"\rround {turn + 1} of {rounds}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    for name, values in seconds.items():
        print(f"{name:<32} {spread(values)} s   {MOST.get(name, '')}")
    ratios = [loop / none for loop, none in zip(seconds[LOOP], seconds[EMPTY], strict=True)]
    print(f"{'loop / nothing to do':<32} {spread(ratios)}")


def timed(command: tuple[str, ...], folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, capture_output=True, check=False, env=dict(os.environ))
    return time.perf_counter() - start


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):6.3f}  ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
