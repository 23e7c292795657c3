"""How much of the machine an engine may use."""

import math
from dataclasses import dataclass

MIB = 1 << 20
START_SECONDS = 15.0  # of processor time, for whatever is loaded before the first case


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one worker. The rest is the same for all: see `limit` in grader/kit/worker.py.

    memory  bytes of address space
    cpu     seconds of processor time, all threads together, over its whole life
    """

    memory: int = 1024 * MIB
    cpu: int = 3600

    @classmethod
    def of(cls, memory: int, budget: float) -> "Limits":
        """For a hand-in with so many seconds of wall time in all.

        Who uses one core can never reach it, who keeps several busy ends sooner.
        """
        return cls(memory, math.ceil(budget + START_SECONDS))
