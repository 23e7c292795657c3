"""An exception that calls itself the one that is expected, and cannot be printed.

family: exits
expect: raised
"""

class ValueError(BaseException):
    def __str__(self): raise RuntimeError
    def __repr__(self): raise RuntimeError
    def __class_getitem__(cls, item): raise RuntimeError
    __module__ = property(lambda self: 1 / 0)


def autograd(request):
    raise ValueError
