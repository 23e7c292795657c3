"""SIGSTOP to the grader: nobody would be there to end it.

family: processes
expect: wrong raised
harms: unfiltered
"""

import os


def autograd(request):
    os.kill(@GRADER@, 19)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
