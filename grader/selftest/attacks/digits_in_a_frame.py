"""A frame with a number of a million digits: reading it takes time that grows with their square.

family: forged frames
expect: invalid_answer
"""

import os
import struct


def autograd(request):
    body = struct.pack(">I", 1_000_000) + b"1" * 1_000_000
    for descriptor in range(3, 32):
        try:
            os.set_blocking(descriptor, True)
            left = body
            while left:
                left = left[os.write(descriptor, left):]
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
