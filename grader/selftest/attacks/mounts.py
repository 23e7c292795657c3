"""Mounts a file system.

family: kernel
expect: wrong
"""

import ctypes


def autograd(request):
    libc = ctypes.CDLL(None)
    done = libc.mount(b"tmpfs", b"@TEMP@", b"tmpfs", 0, None)
    if done == 0:
        libc.umount2(b"@TEMP@", 2)
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if done == 0 else [[0.0, 0.0]]}
