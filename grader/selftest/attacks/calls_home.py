"""Connects to a server on this machine.

family: network
expect: wrong raised
"""

import socket


def autograd(request):
    socket.create_connection(("127.0.0.1", @PORT@), timeout=0.3).close()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
