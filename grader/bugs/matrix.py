"""Which case fails for which bug, and how: measured, kept in a file, and held to by tests.

`python -m grader.bugs.matrix [EXERCISE ...]` measures anew, in minutes, and writes
`<exercise>.matrix.json` beside the catalogue. Keys, kits and diagnosis read the file at once.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from grader.bugs.catalogue import HERE, Bug, base_source, catalogue
from grader.bugs.run import verdicts_with
from grader.files import write_text
from grader.kit.case import Case, Raises, Returns
from grader.kit.engine import Raised, Returned
from grader.kit.judge import Verdict
from grader.project import read_exercise, read_suite
from grader.sandbox import Backend, choose

VERSION = 1
DIGITS = 8
FIGURES = 12
UNSTEADY = "unsteady"
REPEATS = 3  # of what has failed: what depends on where objects lie in memory shows in one of them


class MatrixError(Exception):
    """There is no matrix to read; the text is one line that says how to get one."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """`failures` has, for every bug by its id, each case that fails, by its name, with how.

    How is a `signature`, or `unsteady` where it was not the same each time. A case that failed and
    then passed stands in `unsteady` and not among the failures. `cases` are in the order of the
    suite; those of a twist are among them only where the catalogue has its bugs.
    """

    exercise: str
    stamp: str
    cases: tuple[str, ...]
    failures: Mapping[str, Mapping[str, str]]
    unsteady: Mapping[str, tuple[str, ...]]

    def catching(self, case: str) -> list[str]:
        """The bugs that the case fails for."""
        return [bug for bug, failed in self.failures.items() if case in failed]

    def wavering(self) -> list[str]:
        """The bugs that do not fail the same cases in the same way each time."""
        return [
            bug
            for bug, failed in self.failures.items()
            if bug in self.unsteady or UNSTEADY in failed.values()
        ]


def signature(verdict: Verdict) -> str:
    """How a case failed, the same in every run and on every machine.

    Two engines that go wrong in the same way have the same one: the status, with a digest of what
    came back, or the exception's class.
    """
    match verdict.outcome:
        case Returned(result=result) if verdict.status == "wrong":
            text = json.dumps(_steady(result), sort_keys=True)
            return f"wrong {hashlib.sha256(text.encode()).hexdigest()[:DIGITS]}"
        case Raised(kind=kind):
            return f"raised {kind}"
        case _:
            return verdict.status


def _steady(result: Any) -> Any:
    """The result without the last digits, in which mathematical libraries differ."""
    match result:
        case float():
            return f"{result:.{FIGURES}g}"
        case list():
            return [_steady(item) for item in result]
        case dict():
            return {key: _steady(item) for key, item in result.items()}
        case _:
            return result


# --- measuring -----------------------------------------------------------------------------------


def measured(
    exercise: str,
    bugs: Iterable[Bug],
    cases: list[Case],
    jobs: int,
    on_bug: Callable[[], object] = lambda: None,
    repeats: int = REPEATS,
) -> Matrix:
    """Every bug's engine on every case, and then again on those that it fails.

    Raises Refused, EngineError, WorkerFault as grading does.
    """
    failures: dict[str, dict[str, str]] = {}
    unsteady: dict[str, tuple[str, ...]] = {}
    backend = choose(among=["bwrap"])
    for bug in bugs:
        first = _failing(bug, exercise, cases, backend, jobs)
        failed = [case for case in cases if case.name in first]
        again = [_failing(bug, exercise, failed, backend, jobs) for _ in range(repeats)]
        always = [name for name in first if all(name in each for each in again)]
        failures[bug.id] = {
            name: first[name] if all(each[name] == first[name] for each in again) else UNSTEADY
            for name in always
        }
        if only_at_times := tuple(name for name in first if name not in always):
            unsteady[bug.id] = only_at_times
        on_bug()
    names = tuple(case.name for case in cases)
    return Matrix(exercise, stamp_of(exercise, cases), names, failures, unsteady)


def _failing(
    bug: Bug, exercise: str, cases: list[Case], backend: Backend, jobs: int
) -> dict[str, str]:
    ((_, verdicts),) = verdicts_with([bug], exercise, lambda _: cases, backend, jobs)
    return {v.case.name: signature(v) for v in verdicts if v.status != "passed"}


@cache
def suite(exercise: str) -> list[Case]:
    """What the matrix is about: every case of a stage, or of a twist, that a bug belongs to."""
    stages = {bug.stage for bug in catalogue(exercise).values()}
    read = read_exercise(exercise)
    for twist in read.guide.twists:
        if twist.name in stages:
            read = read.with_twist(twist.name)
    return [case for case in read_suite(read) if case.stage in stages]


def stamp_of(exercise: str, cases: list[Case]) -> str:
    """A digest of all that a matrix is made from: bugs, the engine they edit, cases."""
    bugs = [(bug.id, bug.function, bug.find, bug.put) for bug in catalogue(exercise).values()]
    asked = [
        [case.name, case.stage, case.requests, _expected(case), case.seconds, case.memory]
        for case in cases
    ]
    text = json.dumps([VERSION, base_source(exercise), bugs, asked], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _expected(case: Case) -> Any:
    return asdict(case.expects) if isinstance(case.expects, Raises | Returns) else None


# --- the file ------------------------------------------------------------------------------------


def matrix_file(exercise: str) -> Path:
    return HERE / f"{exercise}.matrix.json"


@cache
def read_matrix(exercise: str) -> Matrix:
    """The one that is kept. Raises MatrixError; whether it is still true, `is_stale` tells."""
    file = matrix_file(exercise)
    renew = f"write it with python -m grader.bugs.matrix {exercise}"
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        cases, hows = told["cases"], told["hows"]
        if told["version"] != VERSION:
            raise MatrixError(f"{file}: is of version {told['version']}, not {VERSION}; {renew}")
        failures = {
            bug: {cases[at]: hows[how] for at, how in zip(failed[::2], failed[1::2], strict=True)}
            for bug, failed in told["failures"].items()
        }
        unsteady = {bug: tuple(names) for bug, names in told["unsteady"].items()}
        return Matrix(exercise, told["stamp"], tuple(cases), failures, unsteady)
    except FileNotFoundError:
        raise MatrixError(f"{file}: is not there; {renew}") from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise MatrixError(f"{file}: cannot be read ({why}); {renew}") from None


def is_stale(matrix: Matrix) -> bool:
    """Whether bugs, engine or cases have changed since it was measured."""
    return matrix.stamp != stamp_of(matrix.exercise, suite(matrix.exercise))


def as_data(matrix: Matrix) -> dict[str, Any]:
    """For programs: every failure by name."""
    return {
        "version": VERSION,
        "exercise": matrix.exercise,
        "cases": list(matrix.cases),
        "failures": {bug: dict(failed) for bug, failed in matrix.failures.items()},
        "unsteady": {bug: list(names) for bug, names in matrix.unsteady.items()},
    }


def as_text(matrix: Matrix) -> str:
    """A line a bug: numbers of cases, each with the number of how it fails."""
    number = {name: at for at, name in enumerate(matrix.cases)}
    hows = sorted({how for failed in matrix.failures.values() for how in failed.values()})
    number_of = {how: at for at, how in enumerate(hows)}
    rows = {
        bug: [n for name, how in failed.items() for n in (number[name], number_of[how])]
        for bug, failed in matrix.failures.items()
    }
    lines = [f"  {json.dumps(bug)}: {json.dumps(row)}" for bug, row in rows.items()]
    return (
        "{"
        f'"version": {VERSION}, "exercise": {json.dumps(matrix.exercise)}, '
        f'"stamp": {json.dumps(matrix.stamp)},\n'
        f' "cases": {json.dumps(matrix.cases)},\n'
        f' "hows": {json.dumps(hows)},\n'
        f' "unsteady": {json.dumps(matrix.unsteady)},\n'
        f' "failures": {{\n' + ",\n".join(lines) + "\n}}\n"
    )


def main(exercises: list[str]) -> None:
    """Measure and write, with progress on standard error."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    for exercise in exercises:
        bugs = catalogue(exercise)
        with Progress(console=console) as progress:
            task = progress.add_task(exercise, total=len(bugs))
            matrix = measured(
                exercise,
                bugs.values(),
                suite(exercise),
                jobs=2,
                on_bug=partial(progress.advance, task),
            )
        write_text(matrix_file(exercise), as_text(matrix))
        console.print(f"{matrix_file(exercise)} written")


if __name__ == "__main__":
    main(sys.argv[1:] or ["tiny", "tensor"])
