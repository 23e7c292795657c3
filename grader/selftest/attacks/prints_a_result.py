"""Prints what a test run prints when all is well.

family: output
expect: wrong
"""

import os
import sys

TEXT = "\n===== 20 passed in 0.01s =====\n25.00 of 25\n"


def autograd(request):
    print(TEXT, flush=True)
    print(TEXT, file=sys.stderr, flush=True)
    for descriptor in (0, 1, 2):
        os.write(descriptor, TEXT.encode())
    return {"value": [[0.0, 0.0]]}
