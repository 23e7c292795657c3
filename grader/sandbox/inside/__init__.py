"""Programs that run beside an engine, before it: each stands alone, on the standard library.

Only these files get there, not the package; so what two of them need is in both.
"""
