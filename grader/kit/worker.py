"""Loads an engine and asks it; also the program that runs inside the sandbox.

This file stands alone: it imports only the standard library, so that the sandbox can be given it
and nothing else of the project. Run as `python -I -S worker.py ENGINE_FILE MEMORY_BYTES
CPU_SECONDS` it answers frames on standard input with frames on standard output (see `serve`). The
pytest plugin calls `load` and `ask` directly, so both ways of running judge the very same plain
data.

An engine that is no function `autograd(request)` is driven: the exercise's driver, a trusted file
given as `... DRIVER_FILE PACKAGES_FOLDER`, says what must be there and turns a request into calls.

No expectation ever enters this process: it is asked, it answers, and somebody else compares.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import struct
import sys
import types

# A worker starts for each hand-in: whatever it can do without is not imported.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, BinaryIO

    Answer = dict[str, Any]
    Measure = Callable[[], None]

MODULE = "_engine"  # a private name: the engine's file name could be one of the standard library's
DRIVER = "_driver"
MOST_FRAMES = 12
MOST_TEXT = 2_000
MOST_FILE = 1 << 20
MOST_RECURSION = (1 << 31) - 1
MOST_PROCESSES = 64
FRAME = struct.Struct(">I")


def nothing_to_measure() -> None:
    """Where nobody watches the size of the process."""


def load_driver(path: str, packages: tuple[str, ...] = ()) -> types.ModuleType:
    """The driver of an exercise, with what it needs from these folders. Raises what it raises.

    It defines `problem(module)`, empty or why this engine cannot be driven, and `answer(module,
    request, measure)`, which calls `measure` where the size of the process is to be looked at.
    """
    sys.path.extend(packages)  # at the end: the standard library comes first
    driver = types.ModuleType(DRIVER)
    driver.__file__ = path
    exec(compile(source_of(path), path, "exec", dont_inherit=True), driver.__dict__)  # noqa: S102
    return driver


def source_of(path: str) -> str:
    """The text of a file, in the encoding that Python would read it in. Raises as `open` does."""
    with open(path, "rb") as file:  # noqa: PTH123  (pathlib would double the start-up time)
        content = file.read()
    if b"coding" in content[:400]:
        import tokenize

        with tokenize.open(path) as text:
            return text.read()
    return content.decode("utf-8-sig")


class Engine:
    """The compiled source of an engine. Every `fresh` module starts from nothing.

    A case must not depend on which cases ran before it, so each gets a newly executed module;
    what a case wants to know about state between calls, it asks within one module.
    """

    def __init__(
        self, path: str, *, stands_alone: bool, driver: types.ModuleType | None = None
    ) -> None:
        self.driver = driver
        self.path = os.path.abspath(path)  # noqa: PTH100  (pathlib would double the start-up time)
        self.folder = os.path.dirname(self.path)  # noqa: PTH120
        self.code = compile(source_of(self.path), self.path, "exec", dont_inherit=True)
        self.recursion_limit = sys.getrecursionlimit()
        if self.folder in sys.path:  # another engine of this folder was here
            self.forget(list(sys.modules))
        elif not stands_alone:
            sys.path.append(self.folder)  # at the end: a json.py in there must not shadow json
        self.others = len(sys.modules)

    def owns(self, module: types.ModuleType) -> bool:
        """Whether it lies in the engine's folder: a module that the engine has imported."""
        file = getattr(module, "__file__", None) or ""
        return file.startswith(self.folder + os.sep)

    def forget(self, names: Iterable[str]) -> None:
        """Of these modules, the engine's own start anew."""
        for name in names:
            if self.owns(sys.modules[name]):
                del sys.modules[name]

    def fresh(self) -> types.ModuleType:
        # Only what came last is looked at: beside torch there are sixteen hundred others.
        came = max(0, len(sys.modules) - self.others)
        self.forget(list(itertools.islice(reversed(sys.modules), came)))
        module = types.ModuleType(MODULE)
        module.__file__ = self.path
        sys.modules[MODULE] = module  # dataclasses look their module up
        before = sys.getrecursionlimit()
        try:
            exec(self.code, module.__dict__)  # noqa: S102  (running the engine is the point)
        finally:
            self.recursion_limit = sys.getrecursionlimit()  # an engine may have set its own
            sys.setrecursionlimit(before)
        return module

    def problem(self, module: types.ModuleType) -> str:
        """Empty if this module can be asked, else what it lacks."""
        if self.driver is not None:
            return str(self.driver.problem(module))
        is_there = callable(getattr(module, "autograd", None))
        return "" if is_there else "defines no function autograd(request)"

    def answerer(self, measure: Measure) -> Callable[[Any], Any]:
        """What answers a request: a fresh module's own function, or the driver with the module."""
        module, driver = self.fresh(), self.driver
        if driver is None:
            function: Callable[[Any], Any] = module.autograd
            return function
        return lambda request: driver.answer(module, request, measure)


def load(
    path: str,
    let_through: tuple[type[BaseException], ...] = (),
    *,
    stands_alone: bool = False,
    driver: types.ModuleType | None = None,
) -> tuple[Engine | None, str]:
    """The engine, or None and one line that says why it cannot be used.

    One that stands alone cannot import what lies beside it.
    """
    try:
        engine = Engine(path, stands_alone=stands_alone, driver=driver)
        problem = engine.problem(engine.fresh())
    except let_through:
        raise
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return None, f"is not UTF-8 text (line {line}); save the file as UTF-8"
    except SyntaxError as error:
        if "encoding declaration" in str(error.msg):  # in the first two lines, it is another error
            return None, "is not UTF-8 text; save the file as UTF-8"
        place = f" (line {error.lineno})" if error.lineno else ""
        return None, printable(f"is not valid Python{place}: {error.msg}")
    except BaseException as error:  # noqa: BLE001  (whatever a stranger's module does on import)
        where = frames(error, os.path.dirname(os.path.abspath(path)))  # noqa: PTH100, PTH120
        place = f" (line {where[-1]['line']})" if where else ""
        return None, printable(f"fails on import{place}: {type(error).__name__}: {text_of(error)}")
    return (None, problem) if problem else (engine, "")


def ask(
    engine: Engine,
    requests: list[str],
    let_through: tuple[type[BaseException], ...] = (),
    measure: Measure = nothing_to_measure,
) -> tuple[Answer, BaseException | None]:
    """Ask a fresh module every request (JSON texts) in order; the answer is that to the last one.

    The answer is plain data: {"returned": ...}, {"raised": {kind, bases, message, frames}},
    {"changed": {before, after}} if the engine changed its argument, or {"invalid": why} if its
    result is no plain data. The exception, where there was one, is for a debugger.
    """
    answer: Answer = {}
    caught = None
    try:
        autograd = engine.answerer(measure)
    except let_through:
        raise
    except BaseException as error:  # noqa: BLE001
        return {"raised": described(error, engine.folder)}, error
    for text in requests:
        answer, caught = ask_once(engine, autograd, text, let_through)
        if "changed" in answer:
            break
    return answer, caught


def ask_once(
    engine: Engine, autograd: Any, text: str, let_through: tuple[type[BaseException], ...]
) -> tuple[Answer, BaseException | None]:
    request = json.loads(text)
    caught: BaseException | None = None
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(recursion_limit_of(engine))
        try:
            result = autograd(request)
        finally:
            sys.setrecursionlimit(before)
    except let_through:
        raise
    except BaseException as error:  # noqa: BLE001  (SystemExit is an answer too)
        caught = error
        answer = {"raised": described(error, engine.folder)}
    else:
        answer = plain(result)
    after = text_after(request)
    if after != text:
        return {"changed": {"before": json.loads(text), "after": json.loads(after)}}, None
    return answer, caught


class Enough(BaseException):
    """More work than was to be counted."""


def count(
    engine: Engine,
    texts: list[str],
    most: int,
    let_through: tuple[type[BaseException], ...] = (),
    measure: Measure = nothing_to_measure,
) -> Answer:
    """How much work a fresh module does for each request: {"counts": [...], "ended": why}.

    Work is counted in the events that `sys.settrace` tells of, which are calls, lines and returns
    of Python functions; what is compiled does not show. `ended` is empty, or why the requests from
    some place on have no count: "most" for more work than that, "raised", or "unknown" where
    somebody else is tracing.
    """
    counts: list[int] = []
    if sys.gettrace() is not None:
        return {"counts": counts, "ended": "unknown"}
    before = sys.getrecursionlimit()
    try:
        autograd = engine.answerer(measure)
        sys.setrecursionlimit(recursion_limit_of(engine))
        for text in texts:
            work, is_ours = traced(autograd, json.loads(text), most)
            if work > most or not is_ours:
                return {"counts": counts, "ended": "most" if work > most else "unknown"}
            counts.append(work)
    except let_through:
        raise
    except BaseException:  # noqa: BLE001  (what it raised, it will raise again when it is asked)
        return {"counts": counts, "ended": "raised"}
    finally:
        sys.setrecursionlimit(before)
    return {"counts": counts, "ended": ""}


def traced(function: Any, argument: Any, most: int) -> tuple[int, bool]:
    """The events of one call, and whether all were seen. Stopped soon after more than `most`."""
    events = 0

    def trace(_frame: Any, _event: str, _argument: Any) -> Any:
        nonlocal events
        events += 1
        if events > most:
            raise Enough
        return trace

    sys.settrace(trace)
    try:
        function(argument)
        return events, sys.gettrace() is trace
    except BaseException:
        if events > most:  # whatever a handler of the engine's has made of it
            return events, True
        raise
    finally:
        sys.settrace(None)


def plain(result: Any) -> Answer:
    """What is left of a result once it has been through JSON: no subclass, no trick object."""
    try:
        return {"returned": json.loads(json.dumps(result))}
    except BaseException as error:  # noqa: BLE001  (a result can carry any code it likes)
        return {"invalid": f"the result is no plain data: {type(error).__name__}: {text_of(error)}"}


def text_after(request: Any) -> str:
    """The request as JSON, after an engine has had it."""
    try:
        return json.dumps(request, default=repr)
    except BaseException:  # noqa: BLE001  (it can hold anything by now)
        return json.dumps("no plain data any more")


def recursion_limit_of(engine: Engine) -> int:
    """As much stack for the engine as it would have at the top of a program.

    pytest calls it from some fifty frames deep, the sandbox from five; without this, a recursion
    of 950 levels would pass in one and fail in the other.
    """
    return min(engine.recursion_limit + stack_used(), MOST_RECURSION)


def stack_used() -> int:
    """How much of the recursion limit is gone here.

    Some C calls count too, so frames alone do not tell; it is tried out, once for each way here:
    which instruction of which function called the next one.
    """
    way: list[int] = []
    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001
    while frame is not None:
        way += (id(frame.f_code), frame.f_lasti)
        frame = frame.f_back
    key = tuple(way)
    if key not in _stack_used:
        _stack_used[key] = sys.getrecursionlimit() - stack_left(0)
    return _stack_used[key]


_stack_used: dict[tuple[int, ...], int] = {}


def stack_left(so_far: int) -> int:
    try:
        return stack_left(so_far + 1)
    except RecursionError:
        return so_far


def described(error: BaseException, folder: str) -> Answer:
    return {
        "kind": type(error).__name__,
        "bases": [base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins"],
        "message": text_of(error),
        "frames": frames(error, folder),
    }


def text_of(error: BaseException) -> str:
    try:
        return str(error)[:MOST_TEXT]
    except BaseException:  # noqa: BLE001
        return "(its message cannot be printed)"


def printable(text: str) -> str:
    """One line without control characters: a message may come from code that nobody trusts."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def frames(error: BaseException, folder: str) -> list[Answer]:
    """The engine's own frames, outermost first; the middle of a deep recursion is left out."""
    own, at = [], error.__traceback__
    while at is not None:
        if os.path.dirname(at.tb_frame.f_code.co_filename) == folder:  # noqa: PTH120
            own.append((at.tb_frame.f_code, at.tb_lineno))
        at = at.tb_next
    if len(own) > MOST_FRAMES:
        own = own[: MOST_FRAMES // 2] + own[-MOST_FRAMES // 2 :]
    return [
        {
            "file": os.path.basename(code.co_filename),  # noqa: PTH119
            "line": line,
            "function": code.co_name,
            "code": line_of(code.co_filename, line),
        }
        for code, line in own
    ]


def line_of(file: str, number: int) -> str:
    """Empty where the engine has left no means to read it, no more files to open for instance."""
    try:
        import linecache

        return linecache.getline(file, number).strip()
    except Exception:  # noqa: BLE001
        return ""


# --- the program in the sandbox ------------------------------------------------------------------


def serve(
    path: str, requests: BinaryIO, answers: BinaryIO, driver: types.ModuleType | None = None
) -> None:
    """Answer frames until there are no more.

    A frame is four bytes of length, big-endian, then that much JSON. Two frames come unasked: one
    that this program has started, then whether the engine loads, {"engine": ""} or {"engine": why
    not}. After that each {"id", "ask": [texts]} is answered with {"id", "answer"}. On the way there
    {"id", "measure"} asks whoever is outside to look at the size of this process, and waits for a
    frame that says it has been done. {"id", "count": [texts], "most"} is answered the same way,
    with what `count` returns.
    """
    send(answers, {"worker": "started"})
    engine, problem = load(path, driver=driver)
    send(answers, {"engine": problem})
    if engine is None:
        return
    while (frame := received(requests)) is not None:
        number = frame["id"]

        def measure(number: Any = number) -> None:
            send(answers, {"id": number, "measure": True})
            received(requests)

        if "count" in frame:
            answer = count(engine, frame["count"], frame["most"], measure=measure)
        else:
            answer, _ = ask(engine, frame["ask"], measure=measure)
        send(answers, {"id": number, "answer": answer})


def received(requests: BinaryIO) -> Any:
    """The next frame, or None where there are no more."""
    header = requests.read(FRAME.size)
    return json.loads(requests.read(*FRAME.unpack(header))) if header else None


def send(answers: BinaryIO, message: Answer) -> None:
    body = json.dumps(message).encode()
    answers.write(FRAME.pack(len(body)) + body)
    answers.flush()


def limit(memory: int, cpu: int) -> None:
    """Limits of the kernel's, which nothing the engine does can lift again.

    memory in bytes of address space, cpu in seconds: of the processor, of all threads together.
    """
    import resource

    def at_most(what: int, amount: int, grace: int = 0) -> None:
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            amount = min(amount, hard - grace)
        resource.setrlimit(what, (amount, amount + grace))

    if sys.platform != "darwin":  # which refuses a limit on address space
        at_most(resource.RLIMIT_AS, memory)
    at_most(resource.RLIMIT_CPU, cpu, grace=1)  # a signal that can be ignored, then one that cannot
    at_most(resource.RLIMIT_CORE, 0)
    at_most(resource.RLIMIT_FSIZE, MOST_FILE)
    at_most(resource.RLIMIT_NOFILE, 64)
    at_most(resource.RLIMIT_NPROC, MOST_PROCESSES)


def main(path: str, memory: str, cpu: str, driver: str = "", *packages: str) -> None:
    limit(int(memory), int(cpu))
    # Before standard error is closed: a driver that cannot be loaded is to be heard.
    serve_on_standard(path, load_driver(driver, packages) if driver else None)


def serve_on_standard(path: str, driver: types.ModuleType | None) -> None:
    """Keep standard input and output for frames, and leave the engine a silent pair."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    gc.set_threshold(20_000)  # a deep program is much data and little garbage
    serve(path, requests, answers, driver)


if __name__ == "__main__":
    main(*sys.argv[1:])
