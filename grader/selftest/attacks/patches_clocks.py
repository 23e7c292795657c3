"""Stops every clock of Python's, and takes its time.

family: patches
expect: timed_out
seconds: 0.3
"""

import time

sleep = time.sleep
for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, f"{name}_ns", lambda: 0)


def autograd(request):
    sleep(1.0)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
