"""Where a hand-in reaches for torch's own autograd: read from its source, for a person to judge.

A note is no verdict. The gradients are the hand-in's own because torch records nothing where it is
run; the notes say where it would have liked it to, which a person may want to ask about. What is
said in comments and docstrings is not reached for.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_NOTES = 20
# Attributes and names that belong to torch's autograd, whatever they are taken from.
SWITCHES = {
    "requires_grad_": "makes torch record",
    "enable_grad": "switches torch's recording on",
    "set_grad_enabled": "switches torch's recording on or off",
    "inference_mode": "enters or leaves inference mode",
    "grad_fn": "reads torch's graph",
}
MODULES = ("torch.autograd", "torch.func", "functorch", "torch._functorch", "torch._C")


@dataclass(frozen=True, slots=True)
class Note:
    """`what` is the thing in the source, `why` in words what it is."""

    file: str
    line: int
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}: {self.why}"


def notes_on(path: Path, *, stands_alone: bool) -> list[Note]:
    """Of an engine's file, or of every Python file beside it, in order."""
    files = [path] if stands_alone else [path, *sorted(set(path.parent.rglob("*.py")) - {path})]
    return [note for file in files for note in _notes_in(file, path.parent)]


def _notes_in(file: Path, folder: Path) -> Iterator[Note]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return  # it cannot be run either, and whoever runs it says so
    name = file.relative_to(folder).as_posix()
    found = {(at, what): why for at, what, why in _mentions(tree)}
    for (line, what), why in sorted(found.items()):
        yield Note(name, line, what, why)


def _mentions(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    names = {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.asname
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    yield from _module(node.lineno, alias.name)
            case ast.ImportFrom(module=str(module), names=imported):
                for alias in imported:
                    yield from _module(node.lineno, f"{module}.{alias.name}")
                    yield from _switch(node.lineno, alias.name)
            case ast.Call():
                yield from _call(node, names)
            case ast.Attribute(attr=attribute):
                yield from _switch(node.lineno, attribute)
                yield from _module(node.lineno, _dotted(node, names))


def _call(call: ast.Call, names: dict[str, str]) -> Iterator[tuple[int, str, str]]:
    match call.func, call.args:
        case ast.Attribute(attr="backward"), _:
            yield call.lineno, ".backward(", "torch's, unless it is the engine's own"
        case ast.Name(id="getattr"), [_, ast.Constant(value=str(name)), *_]:
            yield from _switch(call.lineno, name)
            yield from _module(call.lineno, f"torch.{name}")
    asks = any(keyword.arg == "requires_grad" for keyword in call.keywords)
    if asks and _dotted(call.func, names).startswith("torch."):
        yield call.lineno, "requires_grad=", "asks torch to record"


def _module(line: int, dotted: str) -> Iterator[tuple[int, str, str]]:
    for module in MODULES:
        if dotted == module or dotted.startswith(module + "."):
            yield line, module, "part of torch's autograd"


def _switch(line: int, name: str) -> Iterator[tuple[int, str, str]]:
    if name in SWITCHES:
        yield line, name, SWITCHES[name]


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """`torch.autograd` for the attribute of that name, also of `import torch as t`.

    Empty for anything but names and dots.
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([names.get(node.id, node.id), *reversed(parts)])
