"""SIGKILL to every process it can see.

family: processes
expect: wrong raised crashed
harms: unfiltered
"""

import os


def autograd(request):
    os.kill(-1, 9)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
