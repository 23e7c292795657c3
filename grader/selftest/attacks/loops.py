"""A loop without end.

family: time
expect: timed_out
seconds: 0.3
"""

def autograd(request):
    while True:
        pass
