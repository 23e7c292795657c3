"""Well-known libraries, each doing the workloads in its own way: what an engine is compared with.

Each is a file that a process of its own runs, and defines `prepared(workload, size)`: a function
of nothing that does forward and backward once.
"""
