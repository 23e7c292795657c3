"""Half a character, which no encoding can write.

family: reports
expect: raised
"""

def autograd(request):
    raise ValueError("\ud800\udfff shape \ud83d")
