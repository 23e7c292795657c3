"""Closes every descriptor it has.

family: forged frames
expect: timed_out crashed
seconds: 0.3
"""

import os
import time


def autograd(request):
    os.closerange(0, 64)
    time.sleep(60)
