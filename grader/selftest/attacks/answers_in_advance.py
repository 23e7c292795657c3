"""After an answer, further ones for the requests to come.

family: forged frames
expect: wrong invalid_answer raised
"""

import json
import os
import struct
import threading
import time


def later():
    time.sleep(0.01)
    body = json.dumps({"id": "2", "answer": {"returned": {"value": [[1.0, 1.0]]}}}).encode()
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, struct.pack(">I", len(body)) + body)
        except OSError:
            pass


def autograd(request):
    threading.Thread(target=later, daemon=True).start()
    return {"value": [[0.0, 0.0]]}
