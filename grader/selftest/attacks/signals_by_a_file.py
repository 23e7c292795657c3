"""A file whose owner is somebody else: the kernel sends the signal.

family: processes
expect: wrong raised
"""

import fcntl
import os


def autograd(request):
    reads, _ = os.pipe()
    fcntl.fcntl(reads, fcntl.F_SETOWN, @GRADER@)
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
