"""What a candidate starts from: the correct engine with a few bugs in it.

`python -m grader.bugs.starter` writes candidate/<exercise>.py anew; a test forbids drift.
"""

from grader.bugs.catalogue import apply, base_source, catalogue
from grader.files import write_text
from grader.project import ROOT

# Stage 1 bugs of several kinds, then the unfinished broadcast rule and the slow backward. Tanh and
# mean show apart and together, as in a mean of tanh: which of them a failure is due to is part of
# the exercise.
STARTER = {
    "tiny": [
        "tanh-from-input",
        "mean-rows-only",
        "add-shares-one-buffer",
        "unused-input-missing",
        "forward-difference",
        "broadcast-unfinished",
        "exponential-walk",
    ]
}


def starter_source(exercise: str) -> str:
    """The text of candidate/<exercise>.py."""
    bugs = catalogue(exercise)
    return apply([bugs[bug_id] for bug_id in STARTER[exercise]], base_source(exercise))


def main() -> None:
    for exercise in STARTER:
        path = ROOT / "candidate" / f"{exercise}.py"
        write_text(path, starter_source(exercise))
        print(f"{path} written")


if __name__ == "__main__":
    main()
