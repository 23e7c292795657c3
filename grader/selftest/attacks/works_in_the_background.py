"""Answers at once, and keeps all cores busy with threads.

family: time
expect: wrong timed_out crashed raised
"""

import threading


def busy():
    while True:
        pass


def autograd(request):
    for _ in range(4):
        threading.Thread(target=busy, daemon=True).start()
    return {"value": [[0.0, 0.0]]}
