"""SIGKILL to its process group.

family: processes
expect: wrong raised crashed
"""

import os


def autograd(request):
    os.killpg(0, 9)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
