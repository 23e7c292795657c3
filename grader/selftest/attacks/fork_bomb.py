"""Processes that begin processes, until the machine has no more.

family: processes
expect: wrong raised
harms: unfiltered
"""

import os
import time


def autograd(request):
    begun = 0
    for _ in range(200):
        try:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            begun += 1
        except OSError:
            break
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if begun else [[0.0, 0.0]]}
