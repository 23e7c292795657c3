"""Speaks up where pytest has lost its way to this project's settings.

pytest takes the path in `--engine /some/where` for the folder to test, before any plugin has told
it otherwise, and then looks for settings there. This plugin is found through its entry point, which
those settings switch off; so if it is loaded and `--engine` was given, that is what happened.
"""

import pytest


def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Say how to write it. Raises UsageError."""
    if early_config.pluginmanager.has_plugin("grader.kit.plugin"):
        return
    if "--engine" in args[:-1]:
        path = args[args.index("--engine") + 1]
        raise pytest.UsageError(f"write --engine={path}, with an equals sign, for a path elsewhere")
