"""An answer whose keys are what the report is written in.

family: reports
expect: wrong invalid_answer
"""

def autograd(request):
    return {"value": [[0.0, 0.0]], "</script>": 1, "\x1b[2J": 2, "a" * 100_000: 3, "": 4}
