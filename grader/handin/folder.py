"""A hand-in as a folder: gone through without following links, and only where things are taken."""

import os
import stat
from pathlib import Path

from grader.handin.choice import DEEPEST, ELSEWHERE, ENGINES, TAKEN, problem
from grader.handin.member import LINK, MOST_FILE, MOST_MEMBERS, NO_FILE, Member, counted


def members(path: Path) -> list[Member]:
    """Of a folder called candidate, as of the one that it lies in. Raises HandInError, OSError."""
    found: list[Member] = []
    if path.name == ENGINES:
        for entry in _entries(path):
            _walk(path.parent, entry, found)
        return found
    root = _root(path)
    for entry in _entries(root):
        if entry.is_dir(follow_symlinks=False) and entry.name not in TAKEN:
            found.append(Member(entry.name + "/", problem(entry.name) or ELSEWHERE))
        else:
            _walk(root, entry, found)
    return found


def _root(path: Path) -> Path:
    """The folder itself, or the only one in it, and so on."""
    for _ in range(DEEPEST):
        entries = [entry for entry in _entries(path) if not problem(entry.name)]
        folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        if len(folders) != 1 or folders[0] in TAKEN:
            break
        if any(entry.name.endswith(".py") for entry in entries):
            break
        path /= folders[0]
    return path


def _walk(root: Path, entry: "os.DirEntry[str]", found: list[Member]) -> None:
    name = Path(entry.path).relative_to(root).as_posix()
    if entry.is_symlink():
        found.append(Member(name, LINK))
    elif entry.is_dir(follow_symlinks=False):
        if why := problem(name):
            found.append(Member(name + "/", why))
        else:
            for inner in _entries(Path(entry.path)):
                _walk(root, inner, found)
    elif entry.is_file(follow_symlinks=False):
        found.append(Member(name, "", lambda: read_file(Path(entry.path))))
    else:
        found.append(Member(name, NO_FILE))
    if len(found) > MOST_MEMBERS:
        counted(found)


def _entries(folder: Path) -> "list[os.DirEntry[str]]":
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def read_file(path: Path, most: int = MOST_FILE) -> bytes:
    """Of an ordinary file only, whatever has become of it since we looked. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, NO_FILE, str(path))
        return file.read(most + 1)
