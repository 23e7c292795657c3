"""A kit searched, byte by byte, for what a candidate is not to see."""

from collections import Counter
from pathlib import Path

import pytest

from grader.session.new import Wish, new_session
from grader.session.record import Record, Start
from tests.session.leaks import Secret, everything_in, leaks, secrets_of

SEED = 918_273_645  # a number that stands nowhere else


@pytest.fixture(
    scope="module",
    params=[("tiny", "buggy"), ("tensor", "skeleton"), ("tensor", "buggy")],
    ids="-".join,
)
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Record]:
    exercise, start = request.param
    folder = tmp_path_factory.mktemp("sessions") / "kim"
    wish = Wish(exercise, SEED, start=_start(start), zip=True)
    return folder, new_session(folder, wish)


def _start(word: str) -> Start:
    return "buggy" if word == "buggy" else "skeleton"


def secrets(session: tuple[Path, Record]) -> list[Secret]:
    folder, record = session
    engine = (folder / "kit" / "candidate" / f"{record.exercise}.py").read_text("utf-8")
    return secrets_of(record, engine)


def test_nothing_leaks(session: tuple[Path, Record]) -> None:
    looked_for = secrets(session)
    assert min(Counter(secret.kind for secret in looked_for).values()) >= 1
    assert len(looked_for) > 500
    found = leaks(everything_in(session[0]), looked_for)
    assert found == []


def test_every_kind_of_leak_would_be_found(session: tuple[Path, Record]) -> None:
    """In a file, in git's history, and in the zip alike: those are read as text, too."""
    for kind in {secret.kind for secret in secrets(session)}:
        planted = next(secret for secret in secrets(session) if secret.kind == kind)
        for where in ("kit/README.md", "kit.zip/x"):
            files = [(where, f"before\n# {planted.text}\nafter".encode())]
            assert [leak.secret for leak in leaks(files, [planted])] == [planted]


def test_what_is_searched_is_all_of_it(session: tuple[Path, Record]) -> None:
    folder, record = session
    read = dict(everything_in(folder))
    engine = read[f"kit/candidate/{record.exercise}.py"]
    assert sum(engine in content for content in read.values()) == 3  # as file, in git, in the zip
    assert set(record.files) <= {name.removeprefix("kit/") for name in read}
