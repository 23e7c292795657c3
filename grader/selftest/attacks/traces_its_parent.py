"""Attaches to its parent as a debugger does.

family: processes
expect: wrong
"""

import ctypes
import os


def autograd(request):
    done = ctypes.CDLL(None).ptrace(16, ctypes.c_long(os.getppid() or 1), 0, 0)
    if done == 0:
        ctypes.CDLL(None).ptrace(17, ctypes.c_long(os.getppid() or 1), 0, 0)
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if done == 0 else [[0.0, 0.0]]}
