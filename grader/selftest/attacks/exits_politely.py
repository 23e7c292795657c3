"""sys.exit(0) in a call.

family: exits
expect: raised
"""

import sys


def autograd(request):
    sys.exit(0)
