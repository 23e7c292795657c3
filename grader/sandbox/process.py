"""A plain process with the kernel's limits: what is left where no sandbox works.

It stops loops, memory and floods, and keeps expectations out of reach of the code. It does not
keep that code from files, the network, or other processes of the same user.
"""

import os
import sys
from pathlib import Path

from grader.kit import worker
from grader.kit.engine import EngineFile
from grader.sandbox.backend import Refused
from grader.sandbox.packages import packages_for


class PlainProcess:
    """`why` says why nothing better was used. Raises Refused where the worker cannot be limited."""

    name = "process"

    def __init__(self, why: str = "as asked") -> None:
        if sys.platform == "win32":
            raise Refused("grading needs Linux or macOS; on Windows, run it in WSL")
        self.warning = f"NOT SANDBOXED: the engine ran as a plain process ({why})"

    def command(self, engine: EngineFile, memory: int) -> list[str]:
        script = str(Path(worker.__file__).resolve())
        folders = sorted({str(path.parent) for path in packages_for(engine)})
        driver = [str(engine.driver.resolve()), *folders] if engine.driver else []
        return [
            os.path.realpath(sys.executable),
            "-I",
            "-S",
            "-B",  # no __pycache__ in anybody's hand-in
            script,
            str(engine.path.resolve()),
            str(memory),
            *driver,
        ]
