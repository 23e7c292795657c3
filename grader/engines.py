"""From what a person calls an engine to something that can be asked."""

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from grader.handin import HandIn, HandInError, take_in, write_down
from grader.handin.choice import worth_telling
from grader.integrity import MOST_NOTES, notes_on
from grader.kit.engine import Engine, EngineError, EngineFile, driver_of
from grader.peers import PEERS, load_peer
from grader.project import FIXTURES, ROOT
from grader.sandbox import Backend, SandboxedEngine, WorkerFault, choose
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.choose import SANDBOXES
from grader.sandbox.limits import Limits
from grader.sandbox.warm import WarmBubblewrap

MOST_TOLD = 5
DRIVEN = ("bwrap", "seatbelt")  # no container has torch in it


@dataclass(frozen=True, slots=True)
class Opened:
    """The same engine, ready to be asked once or several times at once; `stop` it when done."""

    engines: list[Engine]
    sandbox: str
    warnings: list[str] = field(default_factory=list)
    open: ExitStack = field(default_factory=ExitStack)

    def stop(self) -> None:
        self.open.close()


def open_engines(name: str, exercise: str, sandbox: str, limits: Limits, jobs: int) -> Opened:
    """A peer runs here, trusted; anything else runs in the sandbox, `jobs` times.

    Only the first worker is started: if the engine cannot be used at all, that is where it shows.
    Raises EngineError, Refused, WorkerFault.
    """
    if name in PEERS:
        return Opened([load_peer(name, exercise)], "none")
    with ExitStack() as stack:
        file, notes = received(name, exercise, stack)
        backend: Backend = choose(sandbox, DRIVEN if file.driver else tuple(SANDBOXES))
        if file.driver is not None and isinstance(backend, Bubblewrap):
            backend = warm = WarmBubblewrap(backend)  # torch is loaded once, not by each of them
            stack.callback(warm.stop)
        engines = [SandboxedEngine(file, backend, limits) for _ in range(jobs)]
        for engine in engines:
            stack.callback(engine.stop)
        engines[0].start()
        warnings = [backend.warning] if backend.warning else []
        return Opened(list(engines), backend.name, warnings + notes, stack.pop_all())


def received(name: str, exercise: str, stack: ExitStack) -> tuple[EngineFile, list[str]]:
    """The engine of a hand-in, in a copy that ends with the stack, and what to say of it.

    A relative name is looked up here, and then among the project's own folders. Raises EngineError,
    and WorkerFault where there is no room for the copy.
    """
    path = next((base / name for base in (Path.cwd(), ROOT) if (base / name).exists()), None)
    if path is None:
        raise EngineError(f"{name}: there is no such engine, file or folder")
    try:
        hand_in = take_in(path)
    except HandInError as error:
        raise EngineError(str(error).replace(str(path), name, 1)) from None
    alone = path.suffix == ".py" and path.is_file()
    wanted = [path.name] if alone else [f"candidate/{exercise}.py", f"{exercise}.py"]
    inside = next((file for file in wanted if file in hand_in.files), None)
    if inside is None:
        raise EngineError(f"{name}: has no {exercise}.py, nor candidate/{exercise}.py")
    try:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-")))
        write_down(hand_in, place)
    except OSError as error:
        raise WorkerFault(f"no copy of the hand-in could be made: {error.strerror}") from None
    made = EngineFile(place / inside, alone, driver_of(exercise, FIXTURES), said=name)
    notes = handed_in_notes(hand_in)
    return made, notes if made.driver is None else notes + integrity_notes(made)


def handed_in_notes(hand_in: HandIn) -> list[str]:
    """How it was read, and what of it was not, as far as a person put that there."""
    notes = [f"hand-in: {note}" for note in hand_in.notes]
    left_out = list(worth_telling((left.name, left.why) for left in hand_in.left_out))
    told = [f"{name} ({why})" for name, why in left_out[:MOST_TOLD]]
    if len(left_out) > MOST_TOLD:
        told.append(f"and {len(left_out) - MOST_TOLD} more")
    if told:
        notes.append(f"hand-in: left out {', '.join(told)}")
    return notes


def integrity_notes(file: EngineFile) -> list[str]:
    """For an exercise whose gradients are not to come from torch's own autograd."""
    notes = notes_on(file.path, stands_alone=file.stands_alone)
    said = [f"integrity: {note}" for note in notes[:MOST_NOTES]]
    if len(notes) > MOST_NOTES:
        said.append(f"integrity: and {len(notes) - MOST_NOTES} more")
    return said
