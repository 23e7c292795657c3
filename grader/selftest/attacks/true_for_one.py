"""True and False where numbers are due.

family: tricks with values
expect: wrong
"""

def autograd(request):
    return {"value": [[True, True]]}
