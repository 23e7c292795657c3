"""Opens files until no more can be opened.

family: memory
expect: wrong raised
"""

import os


def autograd(request):
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(1_000)]
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]] if len(files) == 1_000 else [[0.0, 0.0]]}
