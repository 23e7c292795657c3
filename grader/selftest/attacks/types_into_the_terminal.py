"""Puts a command into the terminal of whoever grades.

family: kernel
expect: wrong raised
"""

import fcntl
import os


def autograd(request):
    terminal = os.open("/dev/tty", os.O_RDWR)
    fcntl.ioctl(terminal, 0x5412, b" ")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
