"""Tries attacks, one after the other, in a process that nobody misses: `python -m` this module.

Each line on standard input names an attack and a backend, as JSON; a line with what became of it is
the answer. Whoever asks sees at once if this process was ended, or stopped.
"""

import json
import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from grader.kit.engine import EngineFile, driver_of
from grader.project import FIXTURES, ROOT
from grader.sandbox import Backend, SandboxedEngine
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.choose import choose
from grader.sandbox.warm import WarmBubblewrap
from grader.selftest.attack import corpus
from grader.selftest.attempt import attempt
from grader.selftest.ground import Ground, running_below


def main() -> None:
    attacks = corpus()
    backends: dict[str, Backend] = {}
    with tempfile.TemporaryDirectory(prefix="grader-selftest-") as folder:
        ground = Ground(Path(folder))
        tempfile.tempdir = str(ground.temp)
        answers = os.fdopen(os.dup(1), "w")
        with chdir(ground.temp):  # what an attack writes where it stands is nobody's report
            for line in sys.stdin:
                asked = json.loads(line)
                attack, name = attacks[asked["attack"]], asked["backend"]
                if name not in backends:
                    backends[name] = made(name)
                warmed_up(backends[name], attack.exercise, ground)
                told = attempt(attack, backends[name], name, ground)
                print(json.dumps(told.as_data()), file=answers, flush=True)
        for backend in backends.values():
            if isinstance(backend, WarmBubblewrap):
                backend.stop()
        ground.close()


def made(name: str) -> Backend:
    """Raises Refused."""
    return WarmBubblewrap(Bubblewrap()) if name == "warm" else choose(name)


def warmed_up(backend: Backend, exercise: str, ground: Ground) -> None:
    """What a warm start keeps is the ground's own, and no attack's."""
    if isinstance(backend, WarmBubblewrap):
        right = ROOT / "reference" / f"{exercise}.py"
        file = EngineFile(right, stands_alone=True, driver=driver_of(exercise, FIXTURES))
        if file.driver not in backend.zygotes:
            engine = SandboxedEngine(file, backend)
            engine.start()
            engine.stop()
            ground.ours = running_below(os.getpid())


if __name__ == "__main__":
    main()
