"""The backends that the sandbox's tests run in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Backend
from tests.sandbox.hosting import Host, chosen, hosting


@pytest.fixture(params=["bwrap", "warm", "process"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return chosen(str(request.param))


@pytest.fixture
def host(backend: Backend, tmp_path: Path) -> Iterator[Host]:
    """Puts an engine's source into the sandbox."""
    yield from hosting(backend, tmp_path)
