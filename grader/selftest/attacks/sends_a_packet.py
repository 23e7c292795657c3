"""Sends a packet, without a connection.

family: network
expect: wrong raised
"""

import socket


def autograd(request):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sends:
        sends.sendto(b"x", ("127.0.0.1", @PORT@))
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
