"""The beginning of a frame, and then nothing.

family: forged frames
expect: timed_out
seconds: 0.3
"""

import os
import time


def autograd(request):
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"\x00\x00\x10\x00{")
        except OSError:
            pass
    time.sleep(60)
