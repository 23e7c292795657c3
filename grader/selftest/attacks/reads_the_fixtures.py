"""Looks for the project's cases on the disk.

family: looks for answers
expect: wrong
escapes: process
"""

import os


def autograd(request):
    for place in ("@PROJECT@/fixtures", "/fixtures", "../fixtures", "../../fixtures"):
        if os.path.isdir(place):
            return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
    return {"value": [[0.0, 0.0]]}
