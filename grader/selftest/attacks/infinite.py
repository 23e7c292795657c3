"""Infinity, minus infinity.

family: tricks with values
expect: wrong
"""

def autograd(request):
    return {"value": [[float("inf"), float("-inf")]]}
