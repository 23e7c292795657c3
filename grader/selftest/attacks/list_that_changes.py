"""A list that has other items each time somebody goes through it.

family: tricks with values
expect: wrong invalid_answer
"""

class Shifting(list):
    looks = 0

    def __iter__(self):
        Shifting.looks += 1
        return iter([[float(Shifting.looks)] * 2])

    def __len__(self): return 1
    def __getitem__(self, index): return [float(Shifting.looks)] * 2
    def __eq__(self, other): return True


def autograd(request):
    return {"value": Shifting([[0.0, 0.0]])}
