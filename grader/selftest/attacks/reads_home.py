"""Lists the home folder and reads a diary in it.

family: reads files
expect: wrong raised
escapes: process
"""

def autograd(request):
    with open("@HOME@/diary.txt") as diary:
        diary.read()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
