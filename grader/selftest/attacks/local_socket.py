"""A socket of this machine's, by a name that is no file.

family: network
expect: wrong raised
"""

import socket


def autograd(request):
    with socket.socket(socket.AF_UNIX) as asked:
        asked.bind("\0@MARK@")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
