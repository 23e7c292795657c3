"""Changes its root folder, as a step to another.

family: kernel
expect: wrong raised
"""

import os


def autograd(request):
    os.chroot(".")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
