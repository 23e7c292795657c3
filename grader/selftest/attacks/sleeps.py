"""Sleeps for a minute.

family: time
expect: timed_out
seconds: 0.3
"""

import time


def autograd(request):
    time.sleep(60)
