"""Replaces the worker's own functions.

family: patches
expect: invalid_answer crashed
"""

import sys

worker = sys.modules["__main__"].__dict__
for frame in sys._current_frames().values():
    while frame is not None:
        if "ask_once" in frame.f_globals:
            worker = frame.f_globals
        frame = frame.f_back


def passed(*rest):
    return {"passed": True, "status": "passed"}, None


worker["ask"] = worker["ask_once"] = passed


def autograd(request):
    return {"value": [[0.0, 0.0]]}
