"""Autograde: run, judge and score small reverse-mode autograd engines."""

__version__ = "0.1.0"
