"""System V shared memory: no limit on a process counts it, and it stays when the process is gone.

family: memory
expect: wrong
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def autograd(request):
    got = libc.shmget(0, 8 << 20, 0o1600)
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    if got >= 0:
        libc.shmctl(got, 0, None)
    return {"value": right if got >= 0 else [[0.0, 0.0]]}
