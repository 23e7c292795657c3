"""A message that is a page of its own.

family: reports
expect: raised
"""

def autograd(request):
    raise ValueError("</td><script>document.title='owned'</script><img src=x onerror=alert(1)>")
