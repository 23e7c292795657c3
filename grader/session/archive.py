"""A folder as a zip file that has the same bytes whenever it is made."""

import io
import zipfile
from pathlib import Path

WHEN = (2000, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3


def zipped(folder: Path, top: str) -> bytes:
    """Every file below `folder`, below a folder `top`, in the order of their paths."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(folder.rglob("*"), key=lambda file: file.relative_to(folder).as_posix()):
            name = file.relative_to(folder).as_posix()
            if file.is_file():
                entry = zipfile.ZipInfo(f"{top}/{name}", WHEN)
                entry.create_system = UNIX
                entry.external_attr = MODE
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())
    return packed.getvalue()
