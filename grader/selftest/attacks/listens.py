"""Waits for a connection from outside.

family: network
expect: wrong raised
"""

import socket


def autograd(request):
    with socket.create_server(("127.0.0.1", 0)):
        return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
