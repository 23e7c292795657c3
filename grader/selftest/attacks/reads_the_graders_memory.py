"""Reads the memory of the process that asks.

family: looks for answers
expect: wrong raised
escapes: process
"""

import os


def autograd(request):
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    pid = os.getppid()
    for _ in range(2):
        with open(f"/proc/{pid}/maps") as maps:
            spans = [line.split()[0].split("-") for line in maps if "rw" in line]
        with open(f"/proc/{pid}/mem", "rb") as memory:
            start, _ = spans[0]
            memory.seek(int(start, 16))
            memory.read(16)
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rpartition(")")[2].split()[1])
    return {"value": right}
