"""Goes through everything Python holds, for what looks like an expected result.

family: looks for answers
expect: wrong
"""

import gc


def autograd(request):
    x = request["inputs"]["x"]
    for thing in gc.get_objects():
        if isinstance(thing, dict):
            value = thing.get("value") or thing.get("expects") or thing.get("expected")
            if isinstance(value, list) and value and value != x and isinstance(value[0], list):
                if len(value[0]) == len(x[0]):
                    return {"value": value}
    return {"value": [[0.0, 0.0]]}
