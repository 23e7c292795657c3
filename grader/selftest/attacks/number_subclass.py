"""A float whose text is one number and whose comparisons are with another.

family: tricks with values
expect: wrong
"""

class Chameleon(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    def __repr__(self): return "0.25"
    def __float__(self): return 0.25


def autograd(request):
    return {"value": [[Chameleon(7.0), Chameleon(7.0)]]}
