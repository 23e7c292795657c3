"""sys.exit(0) while it is imported.

family: exits
expect: unusable
"""

raise SystemExit(0)
