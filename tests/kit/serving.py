"""Talking to the worker as the sandbox does: frames over pipes."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from grader.kit import worker

MEMORY = 128 << 20
CPU = 600


def question(name: str, *texts: str) -> dict[str, Any]:
    return {"id": name, "ask": list(texts)}


def ended(
    path: str, *questions: dict[str, Any], driver: Sequence[str] = ()
) -> subprocess.CompletedProcess[bytes]:
    """The worker, run as a program on an engine's file, asked everything and then left alone.

    `driver` is the file of one, and the folders that it may import from.
    """
    command = [sys.executable, "-I", "-S", worker.__file__, path, str(MEMORY), str(CPU), *driver]
    asked = b"".join(map(frame, questions))
    return subprocess.run(command, input=asked, capture_output=True, timeout=60, check=False)


def conversation(
    path: str, *questions: dict[str, Any], driver: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Every frame of its standard output."""
    left = ended(path, *questions, driver=driver).stdout
    frames = []
    while left:
        (length,) = worker.FRAME.unpack(left[:4])
        frames.append(json.loads(left[4 : 4 + length]))
        left = left[4 + length :]
    return frames


def frame(message: dict[str, Any]) -> bytes:
    body = json.dumps(message).encode()
    return worker.FRAME.pack(len(body)) + body
