"""os._exit(0): a program that ended well, as far as its exit code says.

family: exits
expect: crashed
"""

import os


def autograd(request):
    os._exit(0)
