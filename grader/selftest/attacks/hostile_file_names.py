"""Names with control characters, of pages and of commands.

family: hand-ins
kind: files
expect: wrong
"""

ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def files():
    return {
        "candidate/tiny.py": ENGINE,
        "candidate/\x1b[2Jpassed.py": ENGINE,
        "candidate/<script>alert(1)<script>.py": ENGINE,
        "candidate/$(touch @MARK@_named).py": ENGINE,
        "candidate/--help.py": ENGINE,
        "\x1b[31mnotes": b"x",
    }
