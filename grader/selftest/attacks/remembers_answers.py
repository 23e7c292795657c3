"""Gives the first answer it was told, or has made, again and again.

family: looks for answers
expect: wrong
"""

import builtins


def autograd(request):
    kept = getattr(builtins, "kept", None)
    if kept is None:
        builtins.kept = [[9.0, 9.0]]
    return {"value": builtins.kept}
