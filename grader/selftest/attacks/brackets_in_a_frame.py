"""A frame of a million opening brackets: a parser that calls itself would die of it.

family: forged frames
expect: invalid_answer
"""

import os
import struct


def autograd(request):
    body = struct.pack(">I", 1_000_000) + b"[" * 1_000_000
    for descriptor in range(3, 32):
        try:
            os.set_blocking(descriptor, True)
            left = body
            while left:
                left = left[os.write(descriptor, left):]
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
