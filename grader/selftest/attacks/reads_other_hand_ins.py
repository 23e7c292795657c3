"""Looks for what others have handed in, among the temporary files.

family: reads files
expect: wrong raised
escapes: process
"""

def autograd(request):
    with open("@OTHER@/tiny.py") as theirs:
        theirs.read()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
