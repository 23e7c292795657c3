"""Writing a file so that nobody ever sees half of it, and folders of files."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """In UTF-8, its line ends as they are. Raises OSError."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Replace the file's content, or leave it as it was. Raises OSError."""
    path = path.resolve()  # a link keeps pointing where it points
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Files by their paths, into a folder that nobody reads yet. Raises OSError."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
