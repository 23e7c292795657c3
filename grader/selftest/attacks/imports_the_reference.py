"""Imports the right engine from where the project lies.

family: looks for answers
expect: wrong raised
escapes: process
"""

import sys


def autograd(request):
    sys.path[:0] = ["@PROJECT@", "@PROJECT@/reference"]
    from reference.tiny import autograd as right

    return right(request)
