"""The same, by way of posix_spawn.

family: processes
expect: wrong raised
"""

import os
import sys


def autograd(request):
    pid = os.posix_spawn(sys.executable or "/bin/sh", ["x", "-c", "0"], {})
    os.waitpid(pid, 0)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
