"""Takes memory until there is none.

family: memory
expect: crashed out_of_memory
seconds: 5
"""

def autograd(request):
    hoard = []
    while True:
        hoard.append(bytearray(16 << 20))
