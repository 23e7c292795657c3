"""An integer of millions of digits: writing it takes for ever.

family: tricks with values
expect: wrong invalid_answer timed_out
seconds: 0.4
"""

import sys


def autograd(request):
    sys.set_int_max_str_digits(0)
    return {"value": [[1 << 30_000_000, 0]]}
