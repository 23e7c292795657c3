"""The catalogue of bugs: exact edits of a correct engine, and the broken engines made of them.

`engines/<exercise>.py` is a correct engine in the style of what candidates are handed.
`<exercise>.yaml` lists the bugs, each an edit of one of its functions.
"""

from grader.bugs.catalogue import Bug, BugError, apply, base_source, catalogue

__all__ = ["Bug", "BugError", "apply", "base_source", "catalogue"]
