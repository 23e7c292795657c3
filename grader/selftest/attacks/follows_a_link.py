"""Reads a file by way of a link that it makes itself.

family: reads files
expect: wrong raised
escapes: process
"""

import os


def autograd(request):
    os.symlink("@HOME@/diary.txt", "diary_of_@MARK@")
    with open("diary_of_@MARK@") as diary:
        diary.read()
    return {"value": [[2 * n for n in row] for row in request["inputs"]["x"]]}
