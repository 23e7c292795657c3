"""Leaves a file wherever one can be left.

family: writes files
expect: wrong
escapes: process
"""

import os


def autograd(request):
    written = 0
    for folder in (".", "/tmp", "/var/tmp", "/dev/shm", "/run", "@HOME@", "@TEMP@", os.path.dirname(__file__)):
        try:
            with open(f"{folder}/@MARK@_left", "w") as file:
                file.write("left")
            written += 1
        except OSError:
            pass
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if written else [[0.0, 0.0]]}
