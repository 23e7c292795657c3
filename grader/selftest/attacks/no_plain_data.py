"""An object of its own, which JSON does not know, with a right answer inside.

family: tricks with values
expect: invalid_answer
"""

class Answer:
    def __init__(self, value): self.value = value
    def __eq__(self, other): return True
    def __json__(self): return self.value


def autograd(request):
    return {"value": Answer([[2 * n for n in row] for row in request["inputs"]["x"]])}
