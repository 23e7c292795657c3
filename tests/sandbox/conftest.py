"""The backends that the sandbox's tests run in."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import Backend, Refused, choose
from tests.sandbox.hosting import Host, hosting


@pytest.fixture(params=["bwrap", "process"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Where bubblewrap is refused, tests fail: GRADER_NO_BWRAP=1 says that a machine has none."""
    try:
        return choose(request.param)
    except Refused as refused:
        if os.environ.get("GRADER_NO_BWRAP") == "1":
            pytest.skip(str(refused))
        pytest.fail(str(refused))


@pytest.fixture
def host(backend: Backend, tmp_path: Path) -> Iterator[Host]:
    """Puts an engine's source into the sandbox."""
    yield from hosting(backend, tmp_path)
