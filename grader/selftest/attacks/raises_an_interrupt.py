"""An exception that is no Exception, as when somebody presses Ctrl-C.

family: exits
expect: raised
"""

def autograd(request):
    raise KeyboardInterrupt
