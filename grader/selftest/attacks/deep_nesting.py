"""Lists in lists, fifty thousand deep.

family: tricks with values
expect: invalid_answer crashed
"""

import sys


def autograd(request):
    sys.setrecursionlimit(200_000)
    value = []
    for _ in range(50_000):
        value = [value]
    return {"value": value}
