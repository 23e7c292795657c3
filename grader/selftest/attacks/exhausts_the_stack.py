"""Recursion in C, without a limit.

family: exits
expect: crashed raised timed_out
seconds: 0.5
"""

import sys


def autograd(request):
    sys.setrecursionlimit(1 << 30)
    value = []
    for _ in range(1_000_000):
        value = [value]
    return {"value": repr(value)}
