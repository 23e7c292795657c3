"""Asks the kernel for more memory, files and processes than it was given.

family: patches
expect: wrong raised
"""

import resource

MORE = 1 << 33


def autograd(request):
    lifted = 0
    for what in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):
        try:
            resource.setrlimit(what, (MORE, MORE))
            lifted += 1
        except (OSError, ValueError):
            pass
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if lifted else [[0.0, 0.0]]}
