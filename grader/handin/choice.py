"""Which of the names in a hand-in are taken: an allow-list, and nothing but names.

Taken is what lies in candidate/ and tests/; where there is no candidate/, the Python files at the
top are the engine and its modules. A folder around all of it, as archives often have, is no matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

ENGINES = "candidate"
TAKEN = (ENGINES, "tests")
# They would be run by whoever runs Python or pytest there.
NOT_AT_THE_TOP = ("conftest.py", "setup.py", "sitecustomize.py", "usercustomize.py")
RUBBISH = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "node_modules", "venv", "env")
COMPILED = (".pyc", ".pyo", ".so", ".pyd", ".dylib", ".dll", ".pth", ".exe", ".o", ".a")
INSTALLED = (".dist-info", ".egg-info")
DEEPEST = 20  # folders
MOST_PART, MOST_NAME = 255, 1_000  # bytes
ELSEWHERE = "not in candidate/ or tests/"

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`taken` are path and place in the list that was chosen from; `left_out` are name and why."""

    taken: dict[str, int]
    left_out: list[tuple[str, str]]


def choose(names: Sequence[str], refused: Sequence[str]) -> Choice:
    """`refused` says of each name why it cannot be taken, or nothing.

    Of two that a system which ignores case would not tell apart, the first is taken.
    """
    why = [refusal or problem(name) for name, refusal in zip(names, refused, strict=True)]
    parts = [() if reason else parts_of(name) for name, reason in zip(names, why, strict=True)]
    around = _around([path for path in parts if path])
    inner = [path[len(around) :] if path[: len(around)] == around else () for path in parts]
    has_candidate = any(path[:1] == (ENGINES,) and len(path) > 1 for path in inner)
    choice = Choice({}, [])
    seen: set[str] = set()
    folders = {"/".join(path[:n]).casefold() for path in inner for n in range(1, len(path))}
    for index, path in enumerate(inner):
        joined = "/".join(path)
        reason = why[index] or _misplaced(path, has_candidate=has_candidate)
        if not reason and joined.casefold() in seen:
            reason = "a second file of this name"
        if not reason and joined.casefold() in folders:
            reason = "a folder has this name too"
        if reason:
            choice.left_out.append((names[index], reason))
        else:
            seen.add(joined.casefold())
            choice.taken[joined] = index
    return choice


def parts_of(name: str) -> Parts:
    """Of a name with either kind of separator."""
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def problem(name: str) -> str:
    """Why nothing of such a name is taken, wherever it lies; empty if it may be."""
    parts = parts_of(name)
    if not parts or not name.isprintable():
        return "an impossible name"
    if name[:1] in ("/", "\\") or ".." in parts or parts[0][1:2] == ":":
        return "outside the hand-in"
    if len(parts) > DEEPEST:
        return "too deep"
    sizes = [len(part.encode("utf-8", "surrogateescape")) for part in parts]
    if max(sizes) > MOST_PART or sum(sizes) + len(sizes) > MOST_NAME:
        return "too long a name"
    return next(filter(None, map(_rubbish, parts)), "")


def _rubbish(part: str) -> str:
    if part.startswith("."):
        return "hidden"
    if part in RUBBISH or part.endswith(INSTALLED):
        return "made by a program"
    return "compiled" if part.lower().endswith(COMPILED) else ""


def _around(paths: list[Parts]) -> Parts:
    """The folders that lie around everything; loose files beside them do not count."""
    around: Parts = ()
    while True:
        depth = len(around)
        inside = [path for path in paths if path[:depth] == around]
        folders = {path[depth] for path in inside if len(path) > depth + 1}
        if len(folders) != 1 or folders <= set(TAKEN) or any(_is_loose(p, depth) for p in inside):
            return around
        around += (folders.pop(),)


def _is_loose(path: Parts, depth: int) -> bool:
    """Whether it is Python, right in this folder: then this is the one meant."""
    return len(path) == depth + 1 and path[depth].endswith(".py")


def _misplaced(path: Parts, *, has_candidate: bool) -> str:
    if len(path) > 1 and path[0] in TAKEN:
        return ""
    if len(path) != 1 or not path[0].endswith(".py") or has_candidate:
        return ELSEWHERE
    return "not needed" if path[0] in NOT_AT_THE_TOP else ""


def worth_telling(left_out: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Without what no person has put there."""
    for name, why in left_out:
        if why not in ("hidden", "made by a program", "not needed"):
            yield name, why
