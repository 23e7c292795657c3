"""Keeps something in the kernel's key ring, which outlives processes.

family: kernel
expect: wrong
"""

import ctypes
import platform


def autograd(request):
    number = {"x86_64": 248, "aarch64": 217}.get(platform.machine(), -1)
    got = ctypes.CDLL(None).syscall(number, b"user", b"@MARK@", b"x", ctypes.c_size_t(1), -3)
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if got > 0 else [[0.0, 0.0]]}
