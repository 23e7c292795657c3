"""What pytest does here and not in a candidate's kit, where one exercise lies alone."""

from pathlib import Path

import pytest

from grader.kit.engine import Engine

ROOT = Path(__file__).parent
DEFAULT = "tiny"


def pytest_autograde_engine(name: str, exercise: str) -> Engine | None:
    """The peer called `name`, imported only when it is asked for."""
    from grader.peers import PEERS, load_peer

    return load_peer(name, exercise) if name in PEERS else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Exercises lie side by side: the other one is run where it is named, and twists as hidden.

    So `pytest -k stage1` is the loop of one exercise, and imports nothing for another.
    """
    if collection_path.parent.parent.name == "fixtures" and collection_path.name == "twists":
        return None if config.getoption("hidden") else True
    if collection_path.parent.name != "fixtures" or not collection_path.is_dir():
        return None
    return None if collection_path.name == DEFAULT or is_named(collection_path, config) else True


def is_named(exercise: Path, config: pytest.Config) -> bool:
    """On the command line: in a path, or in the expression of -k."""
    words = [*config.invocation_params.args, str(config.option.keyword)]
    return any(exercise.name in str(word) for word in words)


def pytest_report_header(config: pytest.Config) -> str | None:
    others = [
        folder.name
        for folder in sorted((ROOT / "fixtures").iterdir())
        if folder.is_dir() and folder.name != DEFAULT and not is_named(folder, config)
    ]
    given = config.invocation_params.args
    if not others or any("fixtures" in str(word) or "tests" in str(word) for word in given):
        return None
    other = others[0]
    return f"exercise: {DEFAULT} (the other one: pytest -k {other}, -k '{other} and stage1')"
