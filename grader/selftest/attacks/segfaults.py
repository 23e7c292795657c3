"""Reads where there is no memory.

family: exits
expect: crashed
"""

import ctypes


def autograd(request):
    ctypes.string_at(0)
