"""Maps memory that can be written and run, and runs a program of its own in it.

family: kernel
expect: wrong raised crashed
"""

import ctypes
import mmap
import platform


def autograd(request):
    if platform.machine() != "x86_64":
        return {"value": [[0.0, 0.0]]}
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    # fork, by its number; then return what it gave
    page.write(bytes.fromhex("b8390000000f05c3"))
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    got = ctypes.CFUNCTYPE(ctypes.c_long)(address)()
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if got > 0 else [[0.0, 0.0]]}
