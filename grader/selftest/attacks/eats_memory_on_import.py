"""Takes memory while it is imported.

family: memory
expect: unusable
"""

HOARD = [bytearray(64 << 20) for _ in range(100)]


def autograd(request):
    return {"value": [[0.0, 0.0]]}
