"""A plain process with the kernel's limits: what is left where no sandbox works.

It stops loops, memory and floods, keeps expectations out of reach of the code, and ends it when the
grader ends; on Linux a filter of system calls keeps it from the network, from starting processes
and from ending those of others. It does not keep that code from files of the same user.
"""

import os
import sys

from grader.kit.engine import EngineFile
from grader.sandbox.backend import INSIDE, WORKER, Refused
from grader.sandbox.filters import Rules, program
from grader.sandbox.limits import Limits
from grader.sandbox.live import Started
from grader.sandbox.packages import packages_for


class PlainProcess:
    """`why` says why nothing better was used. Raises Refused where the worker cannot be limited."""

    name = "process"
    is_sealed = False

    def __init__(self, why: str = "as asked") -> None:
        if sys.platform == "win32":
            raise Refused("grading needs Linux or macOS; on Windows, run it in WSL")
        self.warning = f"NOT SANDBOXED: the engine ran as a plain process ({why})"

    def start(self, engine: EngineFile, limits: Limits) -> Started:
        folders = sorted({str(path.parent) for path in packages_for(engine)})
        driver = [str(engine.driver.resolve()), *folders] if engine.driver else []
        told = [str(engine.path.resolve()), str(limits.memory), str(limits.cpu), *driver]
        # -B: no __pycache__ in anybody's hand-in
        python = [os.path.realpath(sys.executable), "-I", "-S", "-B"]
        return Started([*python, *watched(Rules()), str(WORKER), *told])


def watched(rules: Rules) -> list[str]:
    """The program that runs what follows, and the filter that it puts on it where there is one."""
    script = str(INSIDE / "confined.py")
    if sys.platform != "linux":
        return [script, "", ""]
    return [script, str(INSIDE / "kernel.py"), program(rules).hex()]
