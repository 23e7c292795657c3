"""A message in the markup of the library that prints it.

family: reports
expect: raised
"""

def autograd(request):
    raise ValueError("[bold green]passed[/] [link=file:///etc/passwd]here[/link] [/] \\[")
