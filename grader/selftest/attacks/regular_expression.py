"""A regular expression that takes for ever on a short text.

family: time
expect: timed_out
seconds: 0.3
"""

import re


def autograd(request):
    re.match(r"(a+)+$", "a" * 60 + "b")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
