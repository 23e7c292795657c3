"""How often a diagnosis is right: engines with known bugs are graded and diagnosed.

    python -m grader.diagnosis.trial [DRAWS]

Engines of the tiny exercise get one, two or three bugs drawn from the catalogue, and are run on
every case but the deep programs, which would take minutes. A diagnosis is right if the set it names
is the true one, or makes an engine that does the same in every case: then nobody could tell.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from grader.bugs import Bug, BugError, catalogue
from grader.bugs.matrix import read_matrix, suite
from grader.bugs.trial import Trial, fits, is_quick
from grader.chance import seeded, shuffled
from grader.diagnosis.diagnose import Diagnosis, diagnose
from grader.diagnosis.evidence import TIMED_OUT
from grader.kit.case import Case
from grader.kit.judge import Verdict

EXERCISE = "tiny"
DRAWS = 300
SIZES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Draw:
    """The true set, what was named, and whether that is as good as the true one."""

    bugs: tuple[Bug, ...]
    named: Diagnosis | None
    is_the_set: bool
    does_the_same: bool

    @property
    def is_right(self) -> bool:
        return self.is_the_set or self.does_the_same


def draws(number: int, seed: int = 0) -> Iterator[Draw]:
    """Equally many of each size. Raises MatrixError."""
    cases = [case for case in suite(EXERCISE) if is_quick(case)]
    names = {case.name for case in cases}
    failures = read_matrix(EXERCISE).failures
    pool = [
        bug
        for bug in catalogue(EXERCISE).values()
        if names & failures[bug.id].keys()
        and not any(failures[bug.id].get(name) == TIMED_OUT for name in names)
    ]
    chance = seeded(EXERCISE, seed, "trial")
    for at in range(number):
        with Trial(EXERCISE) as trial:
            bugs, verdicts = _drawn(pool, SIZES[at % len(SIZES)], chance, cases, trial)
            named = diagnose(EXERCISE, verdicts)
            found = () if named is None else tuple(suspect.bug for suspect in named.suspects)
            is_the_set = set(found) == {bug.id for bug in bugs}
            same = is_the_set or all(
                trial.how(bugs, case) == trial.how([catalogue(EXERCISE)[b] for b in found], case)
                for case in cases
            )
        yield Draw(bugs, named, is_the_set, same)


def _drawn(
    pool: list[Bug], size: int, chance: Random, cases: list[Case], trial: Trial
) -> tuple[tuple[Bug, ...], list[Verdict]]:
    """A set whose edits go together and make an engine that ends, with its verdicts."""
    while True:
        bugs = tuple(shuffled(chance, pool)[:size])
        if fits(EXERCISE, bugs):
            try:
                return bugs, [trial.verdict(bugs, case) for case in cases]
            except BugError:  # together they make a loop
                continue


def table(done: list[Draw]) -> str:
    """A row for each size."""
    lines = ["bugs  draws  the true set  does the same  right"]
    counts = Counter(len(draw.bugs) for draw in done)
    for size, number in [*sorted(counts.items()), (0, len(done))]:
        of_size = [draw for draw in done if size in (0, len(draw.bugs))]
        exact = sum(draw.is_the_set for draw in of_size)
        right = sum(draw.is_right for draw in of_size)
        lines.append(
            f"{size or 'all':>4}  {number:>5}  {exact:>12}  {right - exact:>13}"
            f"  {right / max(1, number):>5.0%}"
        )
    return "\n".join(lines)


def main(number: int) -> None:
    """Print the table, and each draw that was not right."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    done = list(track(draws(number), total=number, description="draws", console=console))
    for draw in done:
        if not draw.is_right:
            true = ", ".join(sorted(bug.id for bug in draw.bugs))
            named = draw.named.suspects if draw.named else ()
            print(f"{true}: named {', '.join(sorted(s.bug for s in named)) or 'nothing'}")
    print(table(done))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else DRAWS)
