"""Which backend to use."""

from collections.abc import Callable, Collection

from grader.sandbox.backend import Backend, OtherSystem, Refused
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.container import Container
from grader.sandbox.process import PlainProcess
from grader.sandbox.seatbelt import Seatbelt

# The best first; a plain process is none of them.
SANDBOXES: dict[str, Callable[[], Backend]] = {
    "bwrap": Bubblewrap,
    "seatbelt": Seatbelt,
    "container": Container,
}
NAMES = (*SANDBOXES, "process")


def choose(wanted: str = "auto", among: Collection[str] = tuple(SANDBOXES)) -> Backend:
    """The backend called `wanted`, or of those `among` which may be used the best that works here.

    Raises Refused.
    """
    if wanted == "process":
        return PlainProcess()
    if wanted != "auto":
        return SANDBOXES[wanted]()
    refusals: list[Refused] = []
    for name, make in SANDBOXES.items():
        if name not in among:
            continue
        try:
            return make()
        except Refused as refused:
            refusals.append(refused)
    here = [refused for refused in refusals if not isinstance(refused, OtherSystem)]
    return PlainProcess("; ".join(map(str, here or refusals)))
