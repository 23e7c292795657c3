"""`grader selftest`: attacks, tried on every sandbox that this machine has."""

import time
from pathlib import Path

from rich.console import Console

from grader.commands.errors import BadInput
from grader.commands.target import check_json, check_target, write_json, write_target
from grader.grade import jobs_here
from grader.report import selftest as report
from grader.report.terminal import progress
from grader.selftest.attack import Attack, AttackError, corpus
from grader.selftest.run import available, tried


def try_attacks(
    only: str | None,
    sandbox: str | None,
    json_file: str | None,
    markdown_file: str | None,
    jobs: int | None,
    console: Console | None = None,
) -> int:
    """The exit code: 0 if all were repelled that should be, else 1."""
    check_json(json_file, "selftest")
    if markdown_file is not None:
        check_target(Path(markdown_file), lambda start: start.startswith(b"# What attacks"), "page")
    console = console or Console(stderr=json_file == "-", highlight=False)
    attacks = _chosen(only)
    refused = available() if sandbox is None else available([sandbox])
    backends = tuple(name for name, why in refused.items() if not why)
    if not backends:
        raise BadInput("; ".join(f"{name}: {why}" for name, why in refused.items()))
    start = time.monotonic()
    with progress(console) as bar:
        task = bar.add_task("attacks", total=len(attacks) * len(backends))
        # Many of them wait to be ended, so that there can be more at a time than cores.
        attempts = tried(attacks, backends, jobs or 2 * jobs_here(), lambda: bar.advance(task))
    seconds = time.monotonic() - start
    test = report.Selftest(tuple(attacks), backends, refused, tuple(attempts), seconds)
    report.show(test, console)
    write_json(json_file, lambda: report.as_json(test))
    if markdown_file is not None:
        write_target(Path(markdown_file), report.as_markdown(test))
    return 0 if test.is_passed else 1


def _chosen(only: str | None) -> list[Attack]:
    try:
        attacks = corpus()
    except AttackError as error:
        raise BadInput(str(error)) from None
    if only is None:
        return list(attacks.values())
    names = [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in attacks:
            raise BadInput(f"there is no attack {name!r}; grader selftest --list shows them")
    if not names:
        raise BadInput("--attacks names no attack; write names with commas between them")
    return [attack for attack in attacks.values() if attack.name in names]


def list_attacks(console: Console | None = None) -> int:
    console = console or Console(highlight=False)
    for attack in corpus().values():
        console.print(f"{attack.name:<28} {attack.about}", markup=False, soft_wrap=True)
    return 0
