"""What runs beside a candidate: cases, the judge, and the pytest plugin.

This package is copied into a candidate's folder as it is, so it imports only the standard
library, PyYAML and pytest, and nothing else of `grader`. It starts anew with every run of pytest:
its dataclasses have no slots, which would double what it takes to make them.
"""
