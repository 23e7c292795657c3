"""A list that holds itself.

family: tricks with values
expect: invalid_answer
"""

def autograd(request):
    value = []
    value.append(value)
    return {"value": value}
