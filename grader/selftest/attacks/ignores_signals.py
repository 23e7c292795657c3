"""Ignores every signal that can be ignored.

family: time
expect: timed_out
seconds: 0.3
"""

import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def autograd(request):
    while True:
        time.sleep(1)
