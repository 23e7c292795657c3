"""Knows the cases that were handed out by heart, and nothing else.

family: looks for answers
expect: wrong
"""

KNOWN = {"[[1.0, 2.0]]": [[2.0, 4.0]], "[[0.5, -0.5]]": [[1.0, -1.0]]}


def autograd(request):
    return {"value": KNOWN.get(str(request["inputs"]["x"]), [[1.0, 2.0]])}
