"""Making a session: the kit in its repository, and the interviewer's side beside it."""

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.chance import one_of, seeded
from grader.files import write_bytes, write_tree
from grader.guide import Twist
from grader.project import FIXTURES, Exercise, read_exercise
from grader.session.archive import zipped
from grader.session.commit import commit
from grader.session.draw import draw
from grader.session.kit import GUARDS, Files, Order, digests, kit_files
from grader.session.record import INTERVIEWER, KIT, Record, SessionError, Start, write_record

MOST_SEED = 1 << 63
BUGGY_ONLY = ("tiny",)
NO_TWIST = "none"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asks for; None leaves it to the seed, or to the exercise."""

    exercise: str
    seed: int
    twist: str | None = None
    start: Start | None = None
    minutes: int | None = None
    zip: bool = False


def random_seed() -> int:
    return secrets.randbelow(1 << 32)


def new_session(folder: Path, wish: Wish) -> Record:
    """Make the session, as a whole or not at all.

    Raises SessionError, GitError, ProjectError, FixtureError, MatrixError, BugError, OSError.
    """
    check_place(folder)
    exercise = read_exercise(wish.exercise)
    twist = _twist(exercise, wish)
    start = _start(exercise, wish)
    bugs = draw(exercise.name, wish.seed) if start == "buggy" else ()
    minutes = wish.minutes or exercise.minutes
    order = Order(exercise, wish.seed, start, minutes, bugs, has_twist=twist is not None)
    files = kit_files(order)
    name = None if twist is None else twist.name
    record = Record(
        exercise.name, wish.seed, start, minutes, name, tuple(b.id for b in bugs), digests(files)
    )
    with _in_place(folder) as made:
        write_tree(made / KIT, files)
        commit(made / KIT)
        (made / INTERVIEWER).mkdir()
        write_record(made, record)
        if twist is not None:
            write_tree(made / INTERVIEWER / "twist", _sealed(exercise, twist))
        if wish.zip:
            write_bytes(made / f"{KIT}.zip", zipped(made / KIT, exercise.name))
    return record


def check_place(folder: Path) -> None:
    """Raises SessionError where a session cannot be made."""
    if folder.is_dir():
        if any(folder.iterdir()):
            raise SessionError(f"{folder}: is not empty; name a folder that is not there yet")
    elif folder.exists() or folder.is_symlink():
        raise SessionError(f"{folder}: is there and no folder; name one that is not there yet")
    elif not folder.absolute().parent.is_dir():
        raise SessionError(f"{folder}: there is no folder {folder.absolute().parent} to put it in")


def _twist(exercise: Exercise, wish: Wish) -> Twist | None:
    """The one asked for, or one that the seed draws. Raises ProjectError."""
    if wish.twist == NO_TWIST:
        return None
    twists = {twist.name: twist for twist in exercise.guide.twists}
    if wish.twist is not None:
        exercise.with_twist(wish.twist)
        return twists[wish.twist]
    chance = seeded(exercise.name, wish.seed, "twist")
    return twists[one_of(chance, sorted(twists))] if twists else None


def _start(exercise: Exercise, wish: Wish) -> Start:
    """Raises SessionError where the exercise does not begin so."""
    if wish.start == "skeleton" and exercise.name in BUGGY_ONLY:
        raise SessionError(f"the {exercise.name} exercise has no skeleton; leave --start out")
    return wish.start or ("buggy" if exercise.name in BUGGY_ONLY else "skeleton")


def _sealed(exercise: Exercise, twist: Twist) -> Files:
    """What is put into the kit when the new requirement is revealed, path for path."""
    files = {"NEW_REQUIREMENT.md": f"# A new requirement\n\n{twist.statement.strip()}\n".encode()}
    home = FIXTURES / exercise.name
    for file in sorted((home / "twists" / twist.name).iterdir()):
        path = f"fixtures/{exercise.name}/{file.relative_to(home).as_posix()}"
        if file.suffix == ".yaml":
            files[path] = GUARDS.sub("", file.read_text(encoding="utf-8")).encode()
        elif file.suffix == ".py":
            files[path] = file.read_bytes()
    return files


@contextmanager
def _in_place(folder: Path) -> Iterator[Path]:
    """A folder beside, which takes the place of `folder` if all goes well and goes away if not."""
    beside = folder.absolute().parent
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=beside))
    try:
        made.chmod(0o755)
        yield made
        if folder.is_dir():
            folder.rmdir()
        made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
