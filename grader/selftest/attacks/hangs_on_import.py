"""Never comes to an end of being imported.

family: time
expect: unusable
"""

while True:
    pass
