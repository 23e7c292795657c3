"""What a candidate starts from: the correct engine with a few bugs in it.

`python -m grader.bugs.starter` writes the files in candidate/ anew; a test forbids drift.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from grader.bugs.catalogue import Bug, apply, base_source, catalogue
from grader.files import write_text
from grader.project import ROOT


@dataclass(frozen=True, slots=True)
class Start:
    """`file` is the correct engine without what the follow-ups ask for, and with these `bugs`.

    What is theirs stands between two marks in the correct engine; `rest` are the pieces of text in
    between, each with its function.
    """

    file: str
    bugs: list[str]
    rest: list[tuple[str, str]] = field(default_factory=list)


# Stage 1 bugs of several kinds, then the unfinished broadcast rule and the slow backward. In tiny,
# tanh and mean show apart and together, as in a mean of tanh: which of them a failure is due to is
# part of the exercise.
STARTER = {
    "tiny": Start(
        "candidate/tiny.py",
        [
            "tanh-from-input",
            "mean-rows-only",
            "add-shares-one-buffer",
            "unused-input-missing",
            "forward-difference",
            "broadcast-unfinished",
            "exponential-walk",
        ],
    ),
    # For interviewers who would rather have it debugged than written.
    "tensor": Start(
        "candidate/buggy/tensor.py",
        [
            "relu-mask-from-gradient",
            "same-input-twice-in-one-op",
            "add-shares-one-buffer",
            "second-backward-overwrites",
            "first-operand-decides",
            "broadcast-unfinished",
            "recursive-sort",
            "graph-kept-after-backward",
        ],
        rest=[
            ("Tensor.backward", ", gradient=None"),
            ("Tensor.backward", "gradient is None and "),
        ],
    ),
}

_FOLLOW_UPS = re.compile(r"^ *# --- follow-ups\n.*?^ *# --- end\n", re.MULTILINE | re.DOTALL)


def source_without_follow_ups(exercise: str) -> str:
    """The correct engine as a candidate who has been told of no follow-up would write it."""
    rest = [Bug("rest", "", "", *where, "", "", "") for where in STARTER[exercise].rest]
    return apply(rest, _FOLLOW_UPS.sub("", base_source(exercise))).rstrip() + "\n"


def starter_source(exercise: str) -> str:
    """The text of what candidates start from."""
    bugs = [catalogue(exercise)[bug_id] for bug_id in STARTER[exercise].bugs]
    return apply(bugs, source_without_follow_ups(exercise))


def starter_file(exercise: str) -> Path:
    return ROOT / STARTER[exercise].file


def main() -> None:
    for exercise in STARTER:
        write_text(starter_file(exercise), starter_source(exercise))
        print(f"{starter_file(exercise)} written")


if __name__ == "__main__":
    main()
