"""A kit as a git repository with one commit, the same commit wherever and whenever it is made."""

import os
import shutil
import subprocess
from pathlib import Path

BRANCH = "main"
MESSAGE = "The exercise as it is handed out"
WHO = "Autograde"
EMAIL = "kit@autograde.invalid"
WHEN = "2000-01-01T00:00:00+00:00"
SECONDS = 60


class GitError(Exception):
    """git is missing or failed; the text is one line."""


def commit(folder: Path) -> str:
    """Make the folder a repository with everything in it committed; the commit's hash.

    Nobody's own settings, hooks or templates have a say. Raises GitError.
    """
    if shutil.which("git") is None:
        raise GitError("git is not installed, and a kit is a git repository; install git")
    _git(folder, "init", "--quiet", "--template=", f"--initial-branch={BRANCH}")
    _git(folder, "add", "--all", "--force")
    _git(folder, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", MESSAGE)
    # git's list of what is checked out has times in it, until it is made from the commit alone.
    (folder / ".git" / "index").unlink()
    _git(folder, "read-tree", "HEAD")
    return _git(folder, "rev-parse", "HEAD")


def _git(folder: Path, *arguments: str) -> str:
    settings = ("core.autocrlf=false", "core.logAllRefUpdates=false", "gc.auto=0")
    options = [word for setting in settings for word in ("-c", setting)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": WHO,
        "GIT_AUTHOR_EMAIL": EMAIL,
        "GIT_AUTHOR_DATE": WHEN,
        "GIT_COMMITTER_NAME": WHO,
        "GIT_COMMITTER_EMAIL": EMAIL,
        "GIT_COMMITTER_DATE": WHEN,
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", *options, "-C", str(folder), *arguments],  # noqa: S607
            env=environment,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitError(f"git {arguments[0]} failed: {error}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        raise GitError(f"git {arguments[0]} failed: {lines[-1]}")
    return done.stdout.strip()
