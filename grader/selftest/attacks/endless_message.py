"""A message of a hundred megabytes.

family: reports
expect: raised
"""

def autograd(request):
    raise ValueError("x" * (100 << 20))
