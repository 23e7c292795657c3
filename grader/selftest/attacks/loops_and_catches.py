"""A loop without end that catches whatever is thrown at it.

family: time
expect: timed_out
seconds: 0.3
"""

def autograd(request):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
