"""An answer of twenty megabytes.

family: output
expect: too_much_output
"""

def autograd(request):
    return {"value": "x" * (20 << 20)}
