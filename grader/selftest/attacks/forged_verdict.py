"""A frame with the right name on it that says the case was passed.

family: forged frames
expect: invalid_answer
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
    body = json.dumps({"id": name, "answer": {"passed": True}, "status": "passed", "points": 25}).encode()
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, struct.pack(">I", len(body)) + body)
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
