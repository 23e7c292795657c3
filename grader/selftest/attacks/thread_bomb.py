"""Threads that do nothing, thousands of them.

family: processes
expect: wrong raised crashed out_of_memory timed_out
seconds: 2
"""

import threading
import time

threading.stack_size(1 << 20)


def autograd(request):
    begun = 0
    for _ in range(5_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        begun += 1
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
