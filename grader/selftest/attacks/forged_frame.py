"""Frames of its own, on every descriptor, in the form of an answer.

family: forged frames
expect: invalid_answer
"""

import json
import os
import struct


def autograd(request):
    right = {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
    body = json.dumps({"id": "1", "answer": {"returned": right}}).encode()
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, struct.pack(">I", len(body)) + body)
        except OSError:
            pass
    return {"value": [[0.0, 0.0]]}
