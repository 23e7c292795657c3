"""What somebody hands in, taken as data: read, chosen by an allow-list, and never executed."""

from grader.handin.member import HandInError
from grader.handin.take import HandIn, LeftOut, take_in, write_down

__all__ = ["HandIn", "HandInError", "LeftOut", "take_in", "write_down"]
