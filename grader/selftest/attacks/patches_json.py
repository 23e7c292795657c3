"""Makes the worker's JSON say what the grader might like to hear.

family: patches
expect: invalid_answer wrong
"""

import json

dumps = json.dumps


def lies(data, *rest, **options):
    if isinstance(data, dict) and "answer" in data:
        data = {**data, "answer": {"passed": True, "returned": None}, "status": "passed"}
    return dumps(data, *rest, **options)


json.dumps = lies


def autograd(request):
    return {"value": [[0.0, 0.0]]}
