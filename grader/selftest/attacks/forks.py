"""Begins another process.

family: processes
expect: wrong raised
"""

import os
import time


def autograd(request):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
