"""Numbers written as text.

family: tricks with values
expect: wrong
"""

def autograd(request):
    return {"value": [[str(2 * n) for n in row] for row in request["inputs"]["x"]]}
