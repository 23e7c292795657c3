"""Writes files of a mebibyte until there is no room.

family: writes files
expect: wrong
escapes: process
"""

def autograd(request):
    written = 0
    for number in range(16):
        for folder in ("@TEMP@", "/tmp", "/dev/shm", "."):
            try:
                with open(f"{folder}/@MARK@_{number}", "wb") as file:
                    file.write(bytes(1 << 20))
                written += 1
                break
            except OSError:
                pass
    right = [[2 * n for n in row] for row in request["inputs"]["x"]]
    return {"value": right if written else [[0.0, 0.0]]}
