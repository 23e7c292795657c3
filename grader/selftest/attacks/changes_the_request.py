"""Writes its answer into the request, and answers for what it has made of it.

family: patches
expect: wrong
"""

def autograd(request):
    request["inputs"]["x"] = [[1.0, 1.0]]
    return {"value": [[2.0, 2.0]]}
