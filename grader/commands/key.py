"""`grader key`: the answer key of a session, shown and written."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from grader.bugs import BugError
from grader.bugs.matrix import MatrixError
from grader.commands.errors import BadInput
from grader.commands.target import check_json, write_json, write_target
from grader.key.make import Key, key_of
from grader.kit.engine import EngineError
from grader.kit.strict_yaml import FixtureError
from grader.project import ProjectError
from grader.report import key_html
from grader.report.key_markdown import markdown
from grader.report.terminal import busy
from grader.session.record import INTERVIEWER, SessionError, record_file


def show_key(session: Path, json_file: str | None, console: Console | None = None) -> int:
    """In the terminal, in the session's folder, and in `json_file`; - is standard output."""
    check_json(json_file, "key")
    console = console or Console(stderr=json_file == "-", highlight=False)
    try:
        with busy(console, "working out the key"):
            key = key_of(session)
            text, page = markdown(key), key_html.page(key)
    except (SessionError, ProjectError, FixtureError, MatrixError, EngineError) as error:
        raise BadInput(str(error)) from None
    except BugError as error:
        what = f"the bugs make no engine ({error}); use the grader that made the session"
        raise BadInput(f"{record_file(session)}: {what}") from None
    files = {"key.md": text, "key.html": page}
    for name, content in files.items():
        write_target(session / INTERVIEWER / name, content)
    console.print(Markdown(text))
    console.print()
    for name in files:
        console.print(f"{session / INTERVIEWER / name} written", markup=False, soft_wrap=True)
    write_json(json_file, lambda: as_text(key))
    return 0


def as_text(key: Key) -> str:
    """The key for programs; the guide, which is the same for all, is left out."""
    told: dict[str, Any] = asdict(key)
    del told["guide"], told["record"]["files"]
    return json.dumps({"version": 1, **told}, indent=2) + "\n"
