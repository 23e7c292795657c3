"""Where the time of a command goes: spans of it, in the order in which they ended."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds of the clock. What ran `beside` others is no part of the sum."""

    name: str
    seconds: float
    beside: bool = False


@dataclass(slots=True)
class Spans:
    """What was measured so far."""

    found: list[Span] = field(default_factory=list)

    @contextmanager
    def of(self, name: str, *, beside: bool = False) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - start, beside=beside)

    def add(self, name: str, seconds: float, *, beside: bool = False) -> None:
        self.found.append(Span(name, seconds, beside))

    @property
    def total(self) -> float:
        return sum(span.seconds for span in self.found if not span.beside)
