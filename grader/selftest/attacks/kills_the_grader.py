"""SIGKILL to its parent, and to the parent of that.

family: processes
expect: wrong raised crashed
harms: unfiltered
"""

import os


def autograd(request):
    os.kill(os.getppid() or @GRADER@, 9)
    os.kill(@GRADER@, 9)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
