"""The backends that the sandbox's tests run in."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Backend
from tests.sandbox.hosting import Host, chosen, hosting

# Every backend is held to the same suite; GRADER_BACKENDS=container tries others where they are.
BACKENDS = os.environ.get("GRADER_BACKENDS", "bwrap,warm,process").split(",")


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Backend:
    return chosen(str(request.param))


@pytest.fixture
def host(backend: Backend, tmp_path: Path) -> Iterator[Host]:
    """Puts an engine's source into the sandbox."""
    yield from hosting(backend, tmp_path)
