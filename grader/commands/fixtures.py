"""`grader fixtures fill` and `grader fixtures check`."""

import os
from pathlib import Path

import click
from rich.console import Console

from grader import oracle
from grader.authoring.check import complaints_about, unguarded
from grader.authoring.fill import filled
from grader.bugs import catalogue
from grader.commands.errors import BadInput
from grader.files import write_text
from grader.kit.case import Case
from grader.kit.engine import (
    Engine,
    EngineError,
    EngineFile,
    InProcessEngine,
    Returned,
    driver_of,
)
from grader.kit.strict_yaml import FixtureError
from grader.peers import load_library, load_peer
from grader.project import (
    FIXTURES,
    ROOT,
    ProjectError,
    fixture_files,
    read_exercise,
    read_suite,
)
from grader.report.terminal import progress
from grader.sandbox import choose


def fill_fixtures(exercise: str, folder: Path | None, *, everything: bool) -> int:
    """Each file is replaced as a whole or not at all."""
    try:
        read_exercise(exercise)
        library, peer = load_library("torch"), load_peer("torch", exercise)
        total = 0
        for path in fixture_files(exercise, [folder or FIXTURES]):

            def answer(case: Case) -> dict[str, object]:
                try:
                    if case.is_scenario:
                        return _played(case, peer)
                    return oracle.answer(case.request, library, exercise)
                except ValueError as error:
                    raise FixtureError(case.path, case.line, f"{case.name}: {error}") from None

            text, count = filled(path, answer, everything=everything)
            if count:
                write_text(path, text)
                click.echo(f"{path}: {count} filled")
            total += count
    except (FixtureError, EngineError, ProjectError) as error:
        raise BadInput(str(error)) from None
    click.echo(f"{total} expected results written")
    return 0


def _played(case: Case, peer: Engine) -> dict[str, object]:
    """What torch itself returns in a scenario. Raises ValueError where it returns nothing."""
    outcome = peer.run(case)
    if not isinstance(outcome, Returned) or not isinstance(outcome.result, dict):
        raise ValueError(f"the scenario gives no mapping with torch: {outcome}")
    return outcome.result


def check_fixtures(exercise_name: str, folder: Path | None) -> int:
    """0 if nothing is wrong, 1 after a list of what is."""
    console = Console(stderr=True)
    try:
        exercise = read_exercise(exercise_name).with_every_twist()
        is_own = folder is not None and folder.resolve() != FIXTURES
        # Together, since names must not meet; what is checked is the folder that was named.
        everything = read_suite(exercise, [FIXTURES, folder] if folder and is_own else [FIXTURES])
        shipped = [case for case in everything if case.path.is_relative_to(FIXTURES)]
        own = [case for case in everything if not case.path.is_relative_to(FIXTURES)]
        cases = own if is_own else shipped
        sources = {
            "torch": load_peer("torch", exercise_name),
            "the reference": InProcessEngine(
                EngineFile(
                    ROOT / "reference" / f"{exercise_name}.py",
                    stands_alone=True,
                    driver=driver_of(exercise_name, FIXTURES),
                )
            ),
        }
        bugs = catalogue(exercise_name)
    except (FixtureError, EngineError, ProjectError) as error:
        raise BadInput(str(error)) from None
    count = 0
    with progress(console) as bar:
        task = bar.add_task("sources", total=len(cases))
        for complaint in complaints_about(cases, sources, shipped if is_own else []):
            bar.update(task, completed=cases.index(complaint.case))
            click.echo(str(complaint))
            count += 1
        bar.update(task, completed=len(cases))
        task = bar.add_task("bugs", total=len(bugs))
        jobs = os.cpu_count() or 1
        for complaint in unguarded(
            cases, bugs, exercise_name, choose(among=["bwrap"]), jobs, lambda: bar.advance(task)
        ):
            click.echo(str(complaint))
            count += 1
    click.echo(f"{len(cases)} cases, {len(bugs)} bugs, {count} complaints")
    return int(count > 0)
