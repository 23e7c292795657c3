"""Reads the list of the machine's users.

family: reads files
expect: wrong raised
escapes: process
"""

def autograd(request):
    with open("/etc/passwd") as users:
        users.read()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
