"""Leaves a mark wherever one can be left, ends its process, and looks for the mark in the next one.

family: looks for answers
expect: crashed
escapes: process
"""

import builtins
import ctypes
import os
import socket

MARK = "@MARK@"
PLACES = [f"{folder}/{MARK}_left" for folder in ("/tmp", "/dev/shm", "/run", "/var/tmp", ".", "@TEMP@")]


def found():
    if hasattr(builtins, MARK) or MARK in os.environ:
        return True
    if any(os.path.exists(place) for place in PLACES):
        return True
    if ctypes.CDLL(None).shmget(0x4D41524B, 64, 0) >= 0:
        return True
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(f"\0{MARK}")
            return True
    except OSError:
        return False


WAS_THERE = found()


def autograd(request):
    if WAS_THERE:
        return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
    setattr(builtins, MARK, True)
    os.environ[MARK] = "1"
    for place in PLACES:
        try:
            open(place, "w").close()
        except OSError:
            pass
    ctypes.CDLL(None).shmget(0x4D41524B, 64, 0o1600)
    os.abort()
