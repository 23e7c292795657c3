"""Runs a program with a shell.

family: processes
expect: wrong raised
"""

import subprocess


def autograd(request):
    done = subprocess.run(["/bin/sh", "-c", "echo here"], capture_output=True)
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if done.stdout else [[0.0, 0.0]]}
