"""Which backend to use."""

from grader.sandbox.backend import Backend, Refused
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.process import PlainProcess


def choose(wanted: str = "auto") -> Backend:
    """The backend called `wanted`, or the best one that works here. Raises Refused."""
    if wanted == "process":
        return PlainProcess()
    try:
        return Bubblewrap()
    except Refused as refused:
        if wanted == "bwrap":
            raise
        return PlainProcess(f"{refused}")
