"""An integer of four thousand digits: not a float any more.

family: tricks with values
expect: wrong invalid_answer
"""

def autograd(request):
    return {"value": [[10**4000, 10**4000]]}
