"""Answers sent while the engine is imported, before anybody asks.

family: forged frames
expect: unusable
"""

import json
import os
import struct

body = json.dumps({"id": "1", "answer": {"returned": {"value": [[1.0, 1.0]]}}}).encode()
for descriptor in range(3, 32):
    try:
        os.write(descriptor, (struct.pack(">I", len(body)) + body) * 3)
    except OSError:
        pass


def autograd(request):
    return {"value": [[0.0, 0.0]]}
