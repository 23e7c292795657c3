"""abort(), as C code does that has found something wrong.

family: exits
expect: crashed
"""

import os


def autograd(request):
    os.abort()
