"""Writes a file of a gibibyte.

family: writes files
expect: wrong raised crashed
escapes: process
"""

def autograd(request):
    with open("@TEMP@/@MARK@_large", "wb") as file:
        for _ in range(64):
            file.write(bytes(16 << 20))
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
