"""Small frames, as many as the grader will take.

family: forged frames
expect: invalid_answer
"""

import os


def autograd(request):
    body = b"\x00\x00\x00\x02{}" * 10_000
    for descriptor in range(3, 32):
        try:
            os.set_blocking(descriptor, True)
            for _ in range(1_000):
                os.write(descriptor, body)
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
