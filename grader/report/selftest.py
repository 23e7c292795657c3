"""What became of the attacks: as a table in the terminal, as JSON, and as a page in Markdown."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.text import Text

from grader.selftest.attack import Attack
from grader.selftest.attempt import Attempt

CELL = 25  # characters
ABOUT = {
    "bwrap": "bubblewrap, a sandbox for each worker",
    "warm": "bubblewrap, forked from a process that has torch loaded",
    "seatbelt": "sandbox-exec of macOS",
    "container": "docker or podman",
    "process": "a plain process with limits, where there is no sandbox",
}


@dataclass(frozen=True, slots=True)
class Selftest:
    """`attempts` are for each attack in turn those on each backend; `refused` says why not more."""

    attacks: tuple[Attack, ...]
    backends: tuple[str, ...]
    refused: dict[str, str]
    attempts: tuple[Attempt, ...]
    seconds: float

    def on(self, backend: str) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.backend == backend]

    @property
    def is_passed(self) -> bool:
        """Whether every sandbox repelled all, and a plain process beside them what it can."""
        known = {attack.name for attack in self.attacks if attack.escapes == "process"}
        if self.backends == ("process",):
            known = set()
        return not any(
            got_through(attempt)
            for attempt in self.attempts
            if not (attempt.backend == "process" and attempt.attack in known)
        )


def got_through(attempt: Attempt) -> bool:
    return attempt.was_run and not attempt.is_repelled


def summary(test: Selftest) -> list[str]:
    """A line for each backend, and for those that there are not."""
    lines = []
    for backend in test.backends:
        run = [attempt for attempt in test.on(backend) if attempt.was_run]
        through = [attempt.attack for attempt in run if got_through(attempt)]
        line = f"{backend}: {len(run) - len(through)} of {len(run)} attacks repelled"
        if through:
            line += f"; it did not repel {', '.join(through)}"
        lines.append(line)
    lines += [f"{backend}: not here: {why}" for backend, why in test.refused.items() if why]
    if test.backends == ("process",) and len(test.refused) > 1:
        lines.append("there is no sandbox here: do not grade hand-ins that you do not trust")
    return lines


def show(test: Selftest, console: Console) -> None:
    """A line for each attack; what stands under a backend is named above."""
    width = max(len(attack.name) for attack in test.attacks)
    legend = "under each sandbox: verdict, points scored, processes left, files left, seconds"
    console.print(Text(legend, "dim"), soft_wrap=True)
    head = "".join(f"  {backend:<{CELL}}" for backend in test.backends)
    console.print(Text(f"{'':<{width}}{head}", "bold"), soft_wrap=True)
    for family, attacks in groupby(test.attacks, key=lambda attack: attack.family):
        console.print(Text(family, "bold"), soft_wrap=True)
        for attack in attacks:
            tries = [attempt for attempt in test.attempts if attempt.attack == attack.name]
            cells = [part for one in tries for part in ("  ", _cell(one))]
            console.print(Text.assemble(f"{attack.name:<{width}}", *cells), soft_wrap=True)
    console.print()
    for attempt in filter(got_through, test.attempts):
        text = f"{attempt.attack} on {attempt.backend}: {attempt.why}"
        console.print(Text(text, "red" if attempt.backend != "process" else ""), soft_wrap=True)
    for line in summary(test):
        console.print(Text(line, "bold"), soft_wrap=True)
    console.print(Text(f"{len(test.attempts)} attempts in {test.seconds:.0f} s"), soft_wrap=True)


def _cell(attempt: Attempt) -> Text:
    if not attempt.was_run:
        return Text(f"{'not run':<{CELL}}", "dim")
    left = f"{attempt.processes:>2} {attempt.files:>2}"
    numbers = f"{attempt.points:>5.2f} {left} {attempt.seconds:>4.1f}"
    if attempt.is_repelled:
        return Text.assemble(("repelled ", "green"), numbers)
    return Text.assemble(("GOT IN   ", "bold red"), numbers)


def as_json(test: Selftest) -> str:
    data = {
        "passed": test.is_passed,
        "seconds": round(test.seconds, 1),
        "backends": list(test.backends),
        "refused": {name: why for name, why in test.refused.items() if why},
        "summary": summary(test),
        "attacks": [
            {
                "attack": attack.name,
                "family": attack.family,
                "about": attack.about,
                "expect": sorted(attack.expect),
                "attempts": [a.as_data() for a in test.attempts if a.attack == attack.name],
            }
            for attack in test.attacks
        ],
    }
    return json.dumps(data, indent=2) + "\n"


def as_markdown(test: Selftest) -> str:
    """A page with a table for each family; it says how it was made."""
    lines = [
        "# What attacks are tried, and what becomes of them",
        "",
        "Made by `grader selftest --markdown docs/attacks.md`; try them on your own machine. Each",
        "is a file in [grader/selftest/attacks](../grader/selftest/attacks). Repelled means: it",
        "scores nothing, leaves no process and no file, reaches no server and no file of",
        "anybody's, makes no report do more than be read, gets a verdict of those in its header,",
        "and the grader goes on.",
        "",
    ]
    lines += [f"- `{name}`: {ABOUT[name]}" for name in test.backends]
    lines += ["", *[f"- {line}" for line in summary(test)], ""]
    for family, attacks in groupby(test.attacks, key=lambda attack: attack.family):
        lines += [f"## {family}", "", f"| attack | what it tries | {' | '.join(test.backends)} |"]
        lines.append("| --- | --- |" + " --- |" * len(test.backends))
        for attack in attacks:
            tries = [attempt for attempt in test.attempts if attempt.attack == attack.name]
            cells = [f"`{attack.name}`", _escaped(attack.about), *map(_in_a_word, tries)]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def families(attacks: Iterable[Attack]) -> dict[str, int]:
    """How many there are of each."""
    return {name: len(list(them)) for name, them in groupby(attacks, key=lambda a: a.family)}


def _in_a_word(attempt: Attempt) -> str:
    if not attempt.was_run:
        return f"not run: {attempt.why}"
    return "repelled" if attempt.is_repelled else f"**got through**: {_escaped(attempt.why)}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
