"""Looks for a secret in its environment.

family: reads files
expect: wrong
"""

import os


def autograd(request):
    environment = dict(os.environ)
    try:
        with open("/proc/self/environ", "rb") as own:
            environment["own"] = own.read()
    except OSError:
        pass
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if "@MARK@" in str(environment) else [[0.0, 0.0]]}
