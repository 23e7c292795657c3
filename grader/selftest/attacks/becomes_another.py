"""Becomes another program, in the middle of a call.

family: processes
expect: raised crashed
"""

import os
import sys


def autograd(request):
    os.execv(sys.executable, [sys.executable, "-c", "print('20 passed')"])
