"""YAML read the way JSON reads, with the line of everything.

Plain YAML guesses: `1e-5` is a string, `on` is a boolean, `010` is 8, and a key given twice wins
silently. A fixture must not depend on such guesses, so here a plain scalar is a JSON number,
`true`, `false`, `null`, or a word; whatever merely looks like a number is an error.
"""

import math
import re
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml: the same language, only slower
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?\Z")
_LOOKS_LIKE_A_NUMBER = re.compile(r"[-+]?\.?\d\S*\Z|[-+]?\.(inf|nan)\Z", re.IGNORECASE)
_WORDS = {"true": True, "false": False, "null": None, "": None}

Where = tuple[Hashable, ...]


class FixtureError(Exception):
    """Something in a fixture file is wrong; the text begins with file:line."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}:{line}: {what}")


@dataclass(frozen=True)
class Document:
    """The plain data of a file, and on which line (from 1) each mapping entry and item begins."""

    path: Path
    data: Any
    lines: dict[Where, int]

    def error(self, where: Where, what: str) -> FixtureError:
        """An error at the innermost place on the way to `where` whose line is known."""
        while where and where not in self.lines:
            where = where[:-1]
        return FixtureError(self.path, self.lines.get(where, 1), what)


def read(path: Path) -> Document:
    """Raises FixtureError for a file that is no UTF-8, no YAML, or not strict."""
    return parse(text_of(path), path)


def text_of(path: Path) -> str:
    """Raises FixtureError for a file that cannot be read, or is no UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FixtureError(path, line, "is not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise FixtureError(path, 1, f"cannot be read: {error.strerror}") from None


def parse(text: str, path: Path) -> Document:
    """Raises FixtureError."""
    lines: dict[Where, int] = {}
    try:
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
        finally:
            loader.dispose()
        data = None if root is None else _Reader(path, lines).read(root, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"is not valid YAML: {error.problem or error.context}"
        raise FixtureError(path, mark.line + 1 if mark else 1, what) from None
    except yaml.reader.ReaderError as error:
        line, what = _unreadable(text, error)
        raise FixtureError(path, line, f"is not valid YAML: {what}") from None
    except RecursionError:
        raise FixtureError(path, 1, "is nested too deeply, or refers to itself") from None
    return Document(path, data, lines)


def _unreadable(text: str, error: yaml.reader.ReaderError) -> tuple[int, str]:
    """The line of a character that YAML does not allow, and what to call it.

    libyaml counts its position in bytes, the other reader in characters; so it is looked for.
    """
    code = error.character if isinstance(error.character, int) else ord(error.character)
    at = text.find(chr(code))
    return text.count("\n", 0, at) + 1, f"the character U+{code:04X} is not allowed"


class _Reader:
    def __init__(self, path: Path, lines: dict[Where, int]) -> None:
        self.path = path
        self.lines = lines

    def read(self, node: yaml.Node, where: Where) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        self.lines[where] = node.start_mark.line + 1
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*where, index)) for index, item in enumerate(node.value)]
        return self.mapping(node, where)

    def mapping(self, node: yaml.Node, where: Where) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.read(key_node, where)
            if not isinstance(key, str):
                raise self.error(key_node, f"the key {key!r} must be a word; quote it")
            if key in entries:
                raise self.error(key_node, f"the key {key!r} is given twice")
            entries[key] = self.read(value_node, (*where, key))
            self.lines[*where, key] = key_node.start_mark.line + 1
        return entries

    def scalar(self, node: yaml.ScalarNode) -> Any:
        text: str = node.value
        if node.style:  # quoted, or a block of text
            return text
        if node.tag.startswith("!"):
            raise self.error(node, f"the tag {node.tag} has no meaning here")
        if text in _WORDS:
            return _WORDS[text]
        if _JSON_NUMBER.match(text):
            return self.number(node, text)
        if _LOOKS_LIKE_A_NUMBER.match(text):
            raise self.error(node, f"{text} is no number as JSON writes it; correct or quote it")
        return text

    def number(self, node: yaml.ScalarNode, text: str) -> int | float:
        number = float(text)
        if not math.isfinite(number):
            raise self.error(node, f"{text[:40]} is too large for a number")
        return number if any(mark in text for mark in ".eE") else int(text)

    def error(self, node: yaml.Node, what: str) -> FixtureError:
        return FixtureError(self.path, node.start_mark.line + 1, what)
