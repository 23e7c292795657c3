"""A power so large that Python lets no signal through for hours.

family: time
expect: timed_out
seconds: 0.3
"""

def autograd(request):
    return {"value": [[9 ** 9 ** 9, 0]]}
