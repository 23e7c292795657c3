"""Writes into somebody's diary.

family: writes files
expect: wrong raised
escapes: process
"""

def autograd(request):
    with open("@HOME@/diary.txt", "a") as diary:
        diary.write("I was here.\n")
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
