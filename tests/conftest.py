"""Says at once what the tests need, where it is not there."""

from importlib.util import find_spec

import pytest

NEEDED = ("autograd", "hypothesis", "jsonschema", "micrograd", "torch")


def pytest_configure() -> None:
    """Raises UsageError."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        needs = "the project's own tests need pip install -e '.[dev]'"
        raise pytest.UsageError(f"{needs}; missing: {', '.join(missing)}")
