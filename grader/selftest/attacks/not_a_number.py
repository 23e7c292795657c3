"""NaN: every comparison with it is false, also "is it too far off".

family: tricks with values
expect: wrong
"""

def autograd(request):
    return {"value": [[float("nan"), float("nan")]]}
