"""A number that says it equals anything, in a mapping that says it has every key.

family: tricks with values
expect: wrong invalid_answer
"""

class Equal(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __abs__(self): return 0.0
    def __sub__(self, other): return 0.0
    def __rsub__(self, other): return 0.0
    def __le__(self, other): return True
    def __hash__(self): return 0


class Anything(dict):
    def __eq__(self, other): return True
    def __contains__(self, key): return True
    def __getitem__(self, key): return Anything()
    def keys(self): return ["value"]


def autograd(request):
    return Anything(value=[[Equal(0.0), Equal(0.0)]])
