"""Many sessions at once: a round of interviews, a folder for each candidate."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.session.new import Wish, new_session
from grader.session.record import Record, SessionError

SAFE = re.compile(r"[^\w.-]+")
RESERVED = {"con", "prn", "aux", "nul", *(f"{n}{i}" for n in ("com", "lpt") for i in range(1, 10))}
MOST_NAME = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A candidate: the name as it was given, and the folder's."""

    name: str
    folder: str


def places_in(file: Path) -> list[Place]:
    """A name a line; blank lines and lines that begin with # are left out.

    Raises SessionError with file:line.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SessionError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SessionError(f"{file}: is not UTF-8 text; save it as UTF-8") from None
    found: dict[str, int] = {}
    places = []
    for number, line in enumerate(lines, 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        folder = folder_for(name)
        if not folder:
            what = f"no folder can be called {name!r}; write it with letters and digits"
            raise SessionError(f"{file}:{number}: {what}")
        if folder.casefold() in found:
            what = f"{name!r} has the same folder as line {found[folder.casefold()]}: {folder}"
            raise SessionError(f"{file}:{number}: {what}")
        found[folder.casefold()] = number
        places.append(Place(name, folder))
    if not places:
        raise SessionError(f"{file}: there is no name in it; write one a line")
    return places


def folder_for(name: str) -> str:
    """A folder's name that every system takes, or nothing if none is left of it."""
    folder = SAFE.sub("-", name).strip("-.")[:MOST_NAME].rstrip("-.")
    return "" if folder.split(".")[0].casefold() in RESERVED else folder


def numbered(count: int) -> list[Place]:
    width = max(2, len(str(count)))
    return [Place(name := f"{at:0{width}}", name) for at in range(1, count + 1)]


def seed_for(seed: int, place: Place) -> int:
    """Of the round's seed and the folder alone: another name in the list changes nobody's kit."""
    digest = hashlib.sha256(f"{seed} {place.folder}".encode()).digest()
    return int.from_bytes(digest[:6])


def new_round(
    folder: Path, wish: Wish, places: Iterable[Place], on_done: Callable[[], object]
) -> Iterator[tuple[Place, Record]]:
    """A session for each, one after the other; those made already stay if a later one fails.

    Raises what `new_session` raises.
    """
    for place in places:
        own = replace(wish, seed=seed_for(wish.seed, place))
        yield place, new_session(folder / place.folder, own)
        on_done()
