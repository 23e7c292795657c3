"""Asks the grader again and again to look at its memory.

family: forged frames
expect: invalid_answer timed_out
seconds: 0.5
"""

import json
import os
import struct
import sys


def autograd(request):
    frame, name = sys._getframe(), "?"
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, dict) and "ask" in value:
                name = value.get("id", name)
        frame = frame.f_back
    body = json.dumps({"id": name, "measure": True}).encode()
    for _ in range(5_000):
        for descriptor in range(3, 6):
            try:
                os.write(descriptor, struct.pack(">I", len(body)) + body)
            except OSError:
                pass
    return {"value": [[0.0, 0.0]]}
