"""Imports the grader, to ask it what it expects.

family: looks for answers
expect: wrong raised
escapes: process
"""

import sys


def autograd(request):
    sys.path.insert(0, "@PROJECT@")
    import grader.kit.worker

    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
