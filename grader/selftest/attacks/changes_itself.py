"""Writes another engine over its own file, for the next process to load.

family: writes files
expect: wrong raised
escapes: process
"""

def autograd(request):
    with open(__file__, "a") as file:
        file.write("\n# changed\n")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
