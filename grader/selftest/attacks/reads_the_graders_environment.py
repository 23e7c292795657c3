"""Looks for a secret in the environment of whoever started it.

family: reads files
expect: wrong raised
escapes: process
"""

import os


def autograd(request):
    pid, seen = os.getppid(), b""
    for _ in range(4):
        with open(f"/proc/{pid}/environ", "rb") as theirs:
            seen += theirs.read()
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rpartition(")")[2].split()[1])
        if pid == 0:
            break
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if b"@MARK@" in seen else [[0.0, 0.0]]}
