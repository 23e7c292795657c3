"""A right-looking answer with a verdict, points and a status of its own.

family: tricks with values
expect: wrong invalid_answer
"""

def autograd(request):
    return {"value": [[0.0, 0.0]], "status": "passed", "points": 25, "passed": True, "verdict": "passed"}
