"""The ways in which people send the same files."""

import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.files import write_tree

Files = Mapping[str, bytes]
AUTHOR = {"GIT_AUTHOR_NAME": "kim", "GIT_AUTHOR_EMAIL": "kim@example.org"}
GIT_PROGRAM = shutil.which("git") or "git"
GIT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **AUTHOR,
    **{name.replace("AUTHOR", "COMMITTER"): value for name, value in AUTHOR.items()},
}


def as_folder(files: Files, place: Path) -> Path:
    folder = place / "folder"
    folder.mkdir()
    write_tree(folder, files)
    return folder


def as_zip(files: Files, place: Path) -> Path:
    path = place / "sent.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return path


def as_tar(files: Files, place: Path, packed: str = "gz") -> Path:
    path = place / f"sent.tar.{packed}"
    with tarfile.open(path, f"w:{packed}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def as_bundle(files: Files, place: Path) -> Path:
    folder = as_folder(files, place)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message=done")
    git(folder, "bundle", "create", "--quiet", "../sent.bundle", "HEAD", "main")
    return place / "sent.bundle"


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([GIT_PROGRAM, *arguments], cwd=folder, env=GIT, check=True, capture_output=True)


WAYS: dict[str, Callable[[Files, Path], Path]] = {
    "folder": as_folder,
    "zip": as_zip,
    "tar": lambda files, place: as_tar(files, place, ""),
    "tar.gz": as_tar,
    "tar.bz2": lambda files, place: as_tar(files, place, "bz2"),
    "tar.xz": lambda files, place: as_tar(files, place, "xz"),
    "bundle": as_bundle,
}
