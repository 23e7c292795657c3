"""The header of a frame of four gigabytes.

family: forged frames
expect: too_much_output
"""

import os


def autograd(request):
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"\xff\xff\xff\xff")
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
