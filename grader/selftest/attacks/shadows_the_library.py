"""Modules that go by the names of the standard library's.

family: hand-ins
kind: files
expect: wrong
"""

RIGHT = b"raise SystemExit\n"
ENGINE = b"import json, math\n\n\ndef autograd(request):\n    return {'value': json.loads('[[0.0, 0.0]]')}\n"


def files():
    names = ("json", "math", "struct", "sys", "os", "traceback", "torch", "gc", "linecache")
    return {"candidate/tiny.py": ENGINE, **{f"candidate/{name}.py": RIGHT for name in names}}
