"""A hand-in as a git bundle: its objects are read out of it, and nothing is ever checked out.

The git program reads it, into a repository of its own and with no settings of anybody's; no hook,
no filter and no working tree is there. https://git-scm.com/docs/git-bundle
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.handin.choice import problem
from grader.handin.member import LINK, MIB, MOST_FILE, NO_FILE, HandInError, Member, counted

SECONDS = 30
MOST_READ = 64 * MIB
WANTED = ("refs/heads/main", "refs/heads/master")
SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.bigFileThreshold": "1m",  # large ones go through, and are not held in memory
    "transfer.fsckObjects": "true",
    "gc.auto": "0",
    "pack.threads": "1",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
}
# Seconds of the processor, blocks of 512 bytes in a file, KiB of memory where that can be said.
LIMITED = 'ulimit -t 20; ulimit -f 400000; ulimit -v 4000000 2>/dev/null; exec "$@"'


class Repository:
    """A bare one, somewhere temporary. Raises HandInError for whatever git complains of."""

    def __init__(self, folder: str) -> None:
        git = shutil.which("git")
        if git is None:
            raise HandInError("is a git bundle, and git is not installed here")
        self.line = ["sh", "-c", LIMITED, "sh", git, "--git-dir", folder]
        for name, value in SETTINGS.items():
            self.line += ["-c", f"{name}={value}"]
        self.environment = {
            "PATH": os.defpath,
            "HOME": folder,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """What it prints, which goes into a file: that cannot grow without end."""
        with tempfile.TemporaryFile() as printed:
            try:
                done = subprocess.run(
                    [*self.line, *arguments],
                    input=given,
                    stdout=printed,
                    stderr=subprocess.PIPE,
                    timeout=SECONDS,
                    env=self.environment,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise HandInError(f"is a git bundle that takes git more than {SECONDS} s") from None
            if done.returncode != 0:
                lines = done.stderr.decode(errors="replace").strip().splitlines()
                said = lines[0] if lines else f"exit code {done.returncode}"
                raise HandInError(f"is a git bundle that git cannot read ({said}); make it anew")
            printed.seek(0)
            return printed.read()


def members(path: Path) -> list[Member]:
    """Of the commit that was checked out, or of its only branch. Raises HandInError."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        git = Repository(folder)
        git.run("init", "--quiet", "--bare", "--template=")
        bundle = str(path.resolve())
        heads = _heads(git.run("bundle", "list-heads", bundle))
        wanted = _wanted(heads)
        git.run("fetch", "--quiet", "--no-tags", bundle, f"{wanted}:refs/handin")
        listing = git.run("ls-tree", "-r", "-z", "-l", "refs/handin").split(b"\0")
        blobs = [Blob.of(line) for line in listing if line]
        wanted_blobs = [blob for blob in blobs if not blob.refused and blob.size <= MOST_FILE]
        if sum(blob.size for blob in wanted_blobs) > MOST_READ:
            raise HandInError("holds more than 64 MiB; send candidate/ and tests/ only")
        contents = _contents(git, [blob.number for blob in wanted_blobs])
        found = [blob.member(contents) for blob in blobs]
        counted(found)
        return found


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in a tree, as git lists it. Its size is git's own word, and so is its content."""

    name: str
    number: str
    size: int
    refused: str

    @classmethod
    def of(cls, line: bytes) -> "Blob":
        about, _, name = line.partition(b"\t")
        mode, kind, number, size = about.decode("ascii").split()
        text = name.decode("utf-8", "replace")
        refused = LINK if mode == "120000" else "" if kind == "blob" else NO_FILE
        return cls(text, number, int(size) if kind == "blob" else 0, refused or problem(text))

    def member(self, contents: dict[str, bytes]) -> Member:
        body = contents.get(self.number, bytes(MOST_FILE + 1))
        return Member(self.name, self.refused, lambda: body)


def _contents(git: Repository, numbers: list[str]) -> dict[str, bytes]:
    """By number, in one go: `number blob size`, a line end, so many bytes, a line end."""
    printed = git.run("cat-file", "--batch", given="".join(f"{n}\n" for n in numbers).encode())
    contents, at = {}, 0
    for number in numbers:
        end = printed.index(b"\n", at)
        size = int(printed[at:end].split()[2])
        contents[number] = printed[end + 1 : end + 1 + size]
        at = end + 2 + size
    return contents


def _heads(listing: bytes) -> dict[str, str]:
    pairs = [line.split(" ", 1) for line in listing.decode("utf-8", "replace").splitlines()]
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _wanted(heads: dict[str, str]) -> str:
    branches = [name for name in heads if name.startswith("refs/heads/")]
    if "HEAD" in heads:
        return "HEAD"
    if len(branches) == 1:
        return branches[0]
    for name in WANTED:
        if name in branches:
            return name
    names = ", ".join(name.removeprefix("refs/heads/") for name in branches) or "none"
    raise HandInError(f"is a git bundle with no HEAD (branches: {names}); bundle HEAD too")
