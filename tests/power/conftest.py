"""A runner in each of the sandbox's backends, started once for many tests."""

from collections.abc import Callable, Iterator

import pytest

from grader.power.run import Runner
from grader.power.suite import Suite
from grader.sandbox import Backend
from tests.sandbox.hosting import chosen

MEMORY = 1 << 30
With = Callable[[dict[str, str]], Runner]


@pytest.fixture(scope="module", params=["bwrap", "process"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return chosen(str(request.param))


@pytest.fixture(scope="module")
def runner(backend: Backend) -> Iterator[Runner]:
    """One that tests share: what one suite does to it must not be felt by the next."""
    with Runner(Suite({}, ()), "tiny", backend, MEMORY, ()) as made:
        yield made


@pytest.fixture
def runner_with(runner: Runner) -> With:
    """The runner with these files to run."""

    def given(files: dict[str, str]) -> Runner:
        runner.suite = Suite(files, ())
        return runner

    return given
