"""An exception whose class has a name of many lines.

family: reports
expect: raised
"""

def autograd(request):
    raise type("Passed\n\x1b[2J25 of 25", (Exception,), {})("x")
