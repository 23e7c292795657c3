"""The packages that a driver needs, as files and folders to show a worker: torch and what it needs.

A worker starts without any site-packages; it is given these and no others, since the grader and
its catalogue may lie among them.
"""

import re
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from grader.kit.engine import EngineError, EngineFile, needs

PACKAGE = "torch"
ALSO = ("numpy",)  # torch uses it where it is there
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")


def packages_for(engine: EngineFile) -> list[Path]:
    """Nothing for an engine whose driver needs none. Raises EngineError where torch is missing."""
    if engine.driver is None or not engine.is_packed:
        return []
    found = packages()
    if not found:
        raise EngineError(needs(engine.driver.parent.name, PACKAGE))
    return found


@cache
def packages() -> list[Path]:
    """The top-level files and folders of torch and its requirements; empty without torch."""
    try:
        distribution(PACKAGE)
    except PackageNotFoundError:
        return []
    return packages_of((PACKAGE,))


@cache
def packages_of(wanted: tuple[str, ...]) -> list[Path]:
    """The top-level files and folders of what is installed of these, and of their requirements."""
    names, tops = list(wanted), set()
    for name in names:  # grows on the way
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # only on another system, or for an extra
        tops |= _tops(found)
        names += [need for need in _requirements(found) if need not in names]
        names += [also for also in ALSO if name == PACKAGE and also not in names]
    return sorted(tops)


def _requirements(found: Distribution) -> list[str]:
    """Without those of extras: `name; extra == "..."`."""
    required = [text for text in found.requires or [] if "extra ==" not in text]
    return [match[0].lower() for text in required if (match := _REQUIRED.match(text))]


def _tops(found: Distribution) -> set[Path]:
    tops = {
        file.parts[0] for file in found.files or [] if file.parts[0] not in ("..", "__pycache__")
    }
    places = {Path(str(found.locate_file(top))) for top in tops}
    return {place for place in places if place.exists() and place.suffix != ".pth"}
