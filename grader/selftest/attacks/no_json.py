"""A frame that is not JSON.

family: forged frames
expect: invalid_answer
"""

import os


def autograd(request):
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"\x00\x00\x00\x05hello")
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
