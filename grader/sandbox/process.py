"""A plain process with the kernel's limits: what is left where no sandbox works.

It stops loops, memory and floods, and keeps expectations out of reach of the code. It does not
keep that code from files, the network, or other processes of the same user.
"""

import os
import sys
from pathlib import Path

from grader.kit import worker
from grader.kit.engine import EngineFile


class PlainProcess:
    """`why` says why nothing better was used."""

    name = "process"

    def __init__(self, why: str = "as asked") -> None:
        self.warning = f"NOT SANDBOXED: the engine ran as a plain process ({why})"

    def command(self, engine: EngineFile, memory: int) -> list[str]:
        script = str(Path(worker.__file__).resolve())
        return [
            os.path.realpath(sys.executable),
            "-I",
            "-S",
            script,
            str(engine.path.resolve()),
            str(memory),
        ]
