"""Anonymous files in memory, a hundred of them.

family: memory
expect: wrong raised
"""

import os


def autograd(request):
    files = []
    for number in range(100):
        files.append(os.memfd_create(str(number)))
        os.write(files[-1], bytes(1 << 20))
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
