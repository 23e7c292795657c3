"""Prints without end.

family: output
expect: timed_out
seconds: 0.3
"""

import os


def autograd(request):
    while True:
        print("x" * (1 << 20))
        os.write(2, b"x" * (1 << 20))
