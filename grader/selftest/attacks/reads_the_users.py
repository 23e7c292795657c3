"""Reads the list of the machine's users.

family: reads files
expect: wrong raised
escapes: process
"""

import hashlib


def autograd(request):
    with open("/etc/passwd", "rb") as users:
        if hashlib.sha256(users.read()).hexdigest() != "@USERS@":
            return {"value": [[0.0, 0.0]]}
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
