"""The same backends as the sandbox's own tests."""

from tests.sandbox.conftest import backend

__all__ = ["backend"]
