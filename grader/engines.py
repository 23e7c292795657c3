"""From what a person calls an engine to something that can be asked."""

from dataclasses import dataclass, field
from pathlib import Path

from grader.integrity import MOST_NOTES, notes_on
from grader.kit.engine import Engine, EngineFile, driver_of, find_engine
from grader.peers import PEERS, load_peer
from grader.project import FIXTURES, ROOT
from grader.sandbox import Backend, SandboxedEngine, choose
from grader.sandbox.bwrap import Bubblewrap
from grader.sandbox.limits import Limits
from grader.sandbox.warm import WarmBubblewrap


@dataclass(frozen=True, slots=True)
class Opened:
    """The same engine, ready to be asked once or several times at once; `stop` it when done."""

    engines: list[Engine]
    sandbox: str
    warnings: list[str] = field(default_factory=list)
    warm: WarmBubblewrap | None = None

    def stop(self) -> None:
        for engine in self.engines:
            if isinstance(engine, SandboxedEngine):
                engine.stop()
        if self.warm is not None:
            self.warm.stop()


def open_engines(name: str, exercise: str, sandbox: str, limits: Limits, jobs: int) -> Opened:
    """A peer runs here, trusted; anything else runs in the sandbox, `jobs` times.

    Only the first worker is started: if the engine cannot be used at all, that is where it shows.
    Raises EngineError, Refused, WorkerFault.
    """
    if name in PEERS:
        return Opened([load_peer(name, exercise)], "none")
    file = find_engine(name, exercise, (Path.cwd(), ROOT), driver_of(exercise, FIXTURES))
    backend: Backend = choose(sandbox)
    warm = None
    if file.driver is not None and isinstance(backend, Bubblewrap):
        backend = warm = WarmBubblewrap(backend)  # torch is loaded once, not by each of them
    engines = [SandboxedEngine(file, backend, limits) for _ in range(jobs)]
    try:
        engines[0].start()
    except BaseException:
        if warm is not None:
            warm.stop()
        raise
    warnings = [backend.warning] if backend.warning else []
    if file.driver is not None:
        warnings += integrity_notes(file)
    return Opened(list(engines), backend.name, warnings, warm)


def integrity_notes(file: EngineFile) -> list[str]:
    """For an exercise whose gradients are not to come from torch's own autograd."""
    notes = notes_on(file.path, stands_alone=file.stands_alone)
    said = [f"integrity: {note}" for note in notes[:MOST_NOTES]]
    if len(notes) > MOST_NOTES:
        said.append(f"integrity: and {len(notes) - MOST_NOTES} more")
    return said
