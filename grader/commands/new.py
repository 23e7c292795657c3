"""`grader new`: one session, or a round of them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.bugs import BugError
from grader.bugs.matrix import MatrixError
from grader.commands.errors import BadInput
from grader.files import write_text
from grader.kit.engine import EngineError
from grader.kit.strict_yaml import FixtureError
from grader.project import ProjectError
from grader.report.terminal import progress
from grader.session.commit import GitError
from grader.session.new import Wish, check_place, new_session
from grader.session.record import Record, SessionError
from grader.session.round import Place, new_round, numbered, places_in

ROUND = "round.json"


def make_session(folder: Path, wish: Wish, console: Console | None = None) -> int:
    """One candidate's."""
    console = console or Console(highlight=False)
    with _told():
        record = new_session(folder, wish)
    console.print(Text.assemble((str(folder), "bold"), f"  {_summary(record)}"), soft_wrap=True)
    kit = "kit.zip" if wish.zip else "kit"
    console.print(f"  {folder / kit}: for the candidate", markup=False, soft_wrap=True)
    console.print(f"  {folder / 'interviewer'}: for you alone", markup=False, soft_wrap=True)
    return 0


def _summary(record: Record) -> str:
    words = [record.exercise, record.start, f"seed {record.seed}", f"{record.minutes} minutes"]
    if record.bugs:
        words.append(f"{len(record.bugs)} bugs")
    words.append(f"new requirement: {record.twist}" if record.twist else "no new requirement")
    return ", ".join(words)


def make_round(
    folder: Path,
    wish: Wish,
    count: int | None,
    names_file: Path | None,
    console: Console | None = None,
) -> int:
    """A session for each candidate, and a list of them."""
    console = console or Console(highlight=False)
    with _told():
        places = places_in(names_file) if names_file else numbered(count or 0)
        if names_file and count not in (None, len(places)):
            raise SessionError(
                f"{names_file}: has {len(places)} names, not {count}; leave --count out"
            )
        check_place(folder)
        folder.mkdir(exist_ok=True)
        with progress(console) as bar:
            task = bar.add_task("sessions", total=len(places))
            made = list(new_round(folder, wish, places, lambda: bar.advance(task)))
        write_text(folder / ROUND, json.dumps(_listed(wish, made), indent=2) + "\n")
    for place, record in made:
        console.print(f"{folder / place.folder}  {_summary(record)}", markup=False, soft_wrap=True)
    console.print(f"{len(made)} sessions, listed in {folder / ROUND}", markup=False, soft_wrap=True)
    return 0


def _listed(wish: Wish, made: list[tuple[Place, Record]]) -> dict[str, object]:
    sessions = []
    for place, record in made:
        told = asdict(record)
        del told["files"], told["version"]
        sessions.append({"name": place.name, "folder": place.folder, **told})
    return {"version": 1, "exercise": wish.exercise, "seed": wish.seed, "sessions": sessions}


@contextmanager
def _told() -> Iterator[None]:
    """What a person can mend is one line."""
    try:
        yield
    except (SessionError, ProjectError, FixtureError, MatrixError, GitError, EngineError) as error:
        raise BadInput(str(error)) from None
    except BugError as error:
        raise BadInput(f"{error}; take another --seed") from None
    except OSError as error:
        what = error.strerror or error
        raise BadInput(f"{error.filename or 'the session'}: cannot be written: {what}") from None
