"""Programs that run beside an engine, before it: each stands alone, on the standard library.

Only bytes of them get there, not the package: see `load` in each.
"""
