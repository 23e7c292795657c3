"""A message with colours, a cleared screen and lines of its own in it.

family: reports
expect: raised
"""

def autograd(request):
    raise ValueError("\x1b[2J\x1b[31m\n\n===== 20 passed =====\r25.00 of 25\x07\u202e\u2028\x9b2J")
