"""One attack on one backend: graded as any hand-in is, and looked at from all sides."""

import io
import shutil
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from grader.engines import received
from grader.files import write_tree
from grader.grade import Budget, run_cases
from grader.kit.case import Case, Returns
from grader.kit.engine import EngineError
from grader.project import read_exercise
from grader.report import grade_json, terminal
from grader.sandbox import Backend, SandboxedEngine, WorkerFault
from grader.sandbox.filters import Rules, program
from grader.sandbox.limits import MIB, Limits
from grader.score import OUT_OF, score
from grader.selftest.attack import Attack
from grader.selftest.ground import Ground

INPUTS = ([[0.25, -1.5]], [[3.0, 0.125]], [[-2.75, 4.0]])
BUDGET = 20.0
CPU = 40
IMPORT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an attack. `why` is empty if it was repelled, and says else what it got.

    `was_run` is False where it was not tried; then `why` says why not.
    """

    attack: str
    backend: str
    was_run: bool
    why: str
    points: float = 0.0
    processes: int = 0
    files: int = 0
    seconds: float = 0.0
    statuses: tuple[str, ...] = ()

    @property
    def is_repelled(self) -> bool:
        return self.was_run and not self.why

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "repelled": self.is_repelled}


def attempt(attack: Attack, backend: Backend, name: str, ground: Ground) -> Attempt:
    """Grade it, and see what is left. Raises AttackError where the corpus is not in order."""
    if attack.harms == "unfiltered" and name == "process" and not program(Rules()):
        return Attempt(attack.name, name, was_run=False, why="it would do harm: there is no filter")
    start = time.perf_counter()
    sent = _sent(attack, ground)
    with ExitStack() as stack:
        statuses, points, complaint = _graded(attack, backend, sent, stack)
    seconds = time.perf_counter() - start
    _remove(sent)
    processes, files, touched = ground.processes_left(), ground.files_left(), ground.touched()
    reasons = [
        complaint,
        f"{points:.2f} points" if points > 0 and not attack.noted else "",
        touched,
        f"{processes} processes left" if processes else "",
        f"{files} files left" if files else "",
        f"was {' and '.join(sorted(set(statuses) - attack.expect))}"
        if not set(statuses) <= attack.expect
        else "",
    ]
    why = ", ".join(filter(None, reasons))
    found = tuple(sorted(set(statuses)))
    return Attempt(
        attack=attack.name,
        backend=name,
        was_run=True,
        why=why,
        points=round(points, 2),
        processes=processes,
        files=files,
        seconds=round(seconds, 3),
        statuses=found,
    )


def _graded(
    attack: Attack, backend: Backend, sent: Path, stack: ExitStack
) -> tuple[list[str], float, str]:
    """The statuses, the points, and what is wrong with the reports."""
    exercise = read_exercise(attack.exercise)
    try:
        file, notes = received(str(sent), attack.exercise, stack)
    except EngineError as error:
        return ["refused"], 0.0, _unfit(str(error))
    engine = SandboxedEngine(file, backend, Limits(exercise.memory * MIB, CPU))
    engine.import_seconds = IMPORT_SECONDS
    stack.callback(engine.stop)
    try:
        engine.start()
    except EngineError as error:
        return ["unusable"], 0.0, _unfit(str(error))
    except WorkerFault as fault:
        return ["grader_fault"], 0.0, f"the grader failed: {fault}"
    verdicts = run_cases(cases(attack), [engine], Budget.of(BUDGET))
    if attack.noted and not any(note.startswith(attack.noted) for note in notes):
        return [v.status for v in verdicts], 0.0, f"no note of {attack.noted}"
    passed = sum(verdict.status == "passed" for verdict in verdicts)
    points = OUT_OF * passed / len(verdicts)
    grade = score(exercise, sent.name, "selftest", verdicts, notes)
    page = io.StringIO()
    terminal.show(grade, Console(file=page, width=100, force_terminal=False))
    shown = _unfit("".join(page.getvalue().splitlines()))
    return [v.status for v in verdicts], points, shown or _unfit(grade_json.as_text(grade), "\n")


def cases(attack: Attack) -> list[Case]:
    make = _tiny if attack.exercise == "tiny" else _tensor
    return [make(number, attack) for number in range(len(INPUTS))]


def _tiny(number: int, attack: Attack) -> Case:
    x = INPUTS[number]
    request = {
        "op": "value",
        "inputs": {"x": x},
        "steps": [["y", "add", "x", "x"]],
        "output": "y",
    }
    return _case(number, attack, request, {"value": [[2 * n for n in row] for row in x]})


def _tensor(number: int, attack: Attack) -> Case:
    x = INPUTS[number]
    request = {
        "op": "grad",
        "inputs": {"x": x},
        "steps": [["y", "mul", "x", "x"], ["z", "sum", "y"]],
        "output": "z",
    }
    grads = {"x": [[2 * n for n in row] for row in x]}
    return _case(number, attack, request, {"value": sum(n * n for n in x[0]), "grads": grads})


def _case(number: int, attack: Attack, request: dict[str, Any], result: dict[str, Any]) -> Case:
    seconds = attack.seconds if attack.exercise == "tiny" else 10.0
    return Case(
        name=f"case_{number}",
        exercise=attack.exercise,
        visibility="hidden",
        stage="stage1",
        why="an attack is to be graded as any hand-in is",
        request=request,
        first=(),
        expects=Returns(result),
        seconds=seconds,
        guards=(),
        steps=request["steps"],
        path=Path("selftest.yaml"),
        line=1,
    )


def _unfit(text: str, allowed: str = "") -> str:
    """Whether a report has something in it that does more than be read."""
    odd = {char for char in text if not char.isprintable() and char not in allowed}
    return f"a report has {sorted(map(ascii, odd))} in it" if odd else ""


def _sent(attack: Attack, ground: Ground) -> Path:
    """The hand-in, beside the ground's own folders."""
    source = attack.filled(ground.marks())
    place = ground.home.parent / "sent"
    if attack.kind == "engine":
        place = place.with_suffix(".py")
        place.write_text(source, encoding="utf-8")
        return place
    names: dict[str, Any] = {}
    exec(compile(source, f"{attack.name}.py", "exec"), names)  # noqa: S102  (our own file)
    if attack.kind == "files":
        write_tree(place, names["files"]())
        return place
    place = place.with_suffix(f".{attack.kind}")
    place.write_bytes(names["archive"]())
    return place


def _remove(sent: Path) -> None:
    if sent.is_dir():
        shutil.rmtree(sent)
    else:
        sent.unlink()
