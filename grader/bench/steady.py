"""Whether a grade depends on luck: one hand-in graded many times while every core is busy.

    python -m grader.bench.steady ENGINE [TIMES]

Beside the gradings there runs one endless loop for each core. Printed is how often each set of
verdicts and messages came. Exits 1 if there was more than one.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

TIMES = 200
BUSY = (sys.executable, "-c", "while True: pass")


def main(engine: str, times: int) -> int:
    loops = [subprocess.Popen(BUSY) for _ in range(os.cpu_count() or 1)]
    try:
        found, seconds = graded(engine, times)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    each = f"{seconds / times:.2f} s each"
    print(f"{times} gradings of {engine}, {each}; sets of verdicts: {len(found)}")
    for verdicts, how_often in found.most_common():
        counts = Counter(status for _, status, _ in json.loads(verdicts))
        name = hashlib.sha256(verdicts.encode()).hexdigest()[:8]
        print(
            f"{how_often:>5} x {name}: {', '.join(f'{n} {s}' for s, n in sorted(counts.items()))}"
        )
    for case, answers in sorted(parting(found).items()):
        print(f"      {case}: {' | '.join(sorted(answers))}")
    return min(len(found) - 1, 1)


def graded(engine: str, times: int) -> tuple[Counter[str], float]:
    """How often each set of verdicts came, and the seconds all took."""
    found: Counter[str] = Counter()
    start = time.perf_counter()
    for turn in range(times):
        found[json.dumps(verdicts_on(engine))] += 1
        progress = f"\r{turn + 1} of {times}, {len(found)} sets of verdicts"
        print(progress, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found, time.perf_counter() - start


def verdicts_on(engine: str) -> list[tuple[str, str, str]]:
    """(case, status, message) for each case."""
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as folder:
        file = Path(folder, "grade.json")
        command = (sys.executable, "-m", "grader", "grade", engine, "--json", str(file))
        subprocess.run(command, capture_output=True, check=True)
        grade: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return [(each["case"], each["status"], each["message"]) for each in grade["verdicts"]]


def parting(found: Counter[str]) -> dict[str, set[str]]:
    """What was said of each case of which more than one thing was said."""
    said: dict[str, set[str]] = {}
    for verdicts in found:
        for case, status, message in json.loads(verdicts):
            said.setdefault(case, set()).add(f"{status}: {message}")
    return {case: answers for case, answers in said.items() if len(answers) > 1}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else TIMES))
