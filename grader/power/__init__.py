"""What a candidate's own tests are worth: which bugs they catch while right engines pass them.

`suite` takes the tests from a hand-in, `runner` runs them in the sandbox on one engine after the
other, `run` talks to it, and `measure` makes sense of what came back.
"""
