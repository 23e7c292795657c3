"""A repository whose hooks, settings and filters run programs.

family: hand-ins
kind: files
expect: wrong
"""

HOOK = b"#!/bin/sh\ntouch @TEMP@/@MARK@_hook\n"
ENGINE = b"def autograd(request):\n    return {'value': [[0.0, 0.0]]}\n"


def files():
    return {
        "candidate/tiny.py": ENGINE,
        ".git/config": b"[core]\n\tfsmonitor = touch @TEMP@/@MARK@_hook\n\tpager = touch @TEMP@/@MARK@_hook\n",
        ".git/hooks/post-checkout": HOOK,
        ".git/hooks/pre-commit": HOOK,
        ".git/HEAD": b"ref: refs/heads/main\n",
        ".gitattributes": b"* filter=evil\n",
    }
