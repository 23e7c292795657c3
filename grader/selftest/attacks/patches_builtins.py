"""Makes the functions that a comparison needs say yes.

family: patches
expect: wrong invalid_answer raised unusable
"""

import builtins
import math

builtins.abs = lambda x: 0.0
builtins.all = builtins.any = lambda x: True
builtins.isinstance = lambda x, y: True
builtins.len = lambda x: 1
builtins.max = builtins.min = lambda *x, **y: 0.0
math.isclose = lambda *x, **y: True
math.isfinite = lambda x: True


def autograd(request):
    return {"value": [[0.0, 0.0]]}
