"""Leaves something to be done when Python ends.

family: output
expect: wrong
"""

import atexit
import weakref


def last_words():
    print("25.00 of 25", flush=True)
    for folder in ("@HOME@", "@TEMP@"):
        try:
            open(f"{folder}/@MARK@_at_exit", "w").close()
        except OSError:
            pass


class Mourned:
    pass


mourned = Mourned()
weakref.finalize(mourned, last_words)
atexit.register(last_words)


def autograd(request):
    return {"value": [[0.0, 0.0]]}
