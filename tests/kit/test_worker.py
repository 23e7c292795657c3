"""Loading an engine and asking it, in this process. The program around it: see test_serving."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.kit.worker import MOST_FRAMES, MOST_TEXT, Engine, ask, count, load, load_driver
from tests.kit.serving import conversation, question
from tests.miniatures import DRIVEN, DRIVER, ECHO, KEEPING, MINIATURES, driver_in, written

Answer = dict[str, Any]

REQUEST = {"op": "value", "inputs": {"x": [[1.0]]}, "steps": [], "output": "x"}
TEXT = json.dumps(REQUEST)


@pytest.fixture(autouse=True)
def _leave_no_trace(tmp_path: Path) -> Iterator[None]:
    """What an engine imports, and where from, is gone after the test; and so is its limit."""
    path, limit = list(sys.path), sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def loaded(folder: Path, source: str, *, stands_alone: bool = True) -> Engine:
    file = folder / "tiny.py"
    file.write_text(source, encoding="utf-8")
    engine, problem = load(str(file), stands_alone=stands_alone)
    assert engine is not None, problem
    return engine


def asked(folder: Path, source: str, times: int = 1, *, stands_alone: bool = True) -> Answer:
    answer, _ = ask(loaded(folder, source, stands_alone=stands_alone), [TEXT] * times)
    return answer


def answer_of(name: str, folder: Path, times: int = 1) -> Answer:
    """What the miniature answers when it is asked so many times in one process."""
    engine, problem = load(str(written(name, folder)), stands_alone=True)
    assert engine is not None, problem
    answer, _ = ask(engine, [TEXT] * times)
    return answer


# --- loading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "breaks_on_import",
            "fails on import (line 1): ModuleNotFoundError: No module named"
            " 'no_such_module_anywhere'",
        ),
        ("broken_syntax", "is not valid Python (line 1): '(' was never closed"),
        ("nothing_called_autograd", "defines no function autograd(request)"),
        ("autograd_is_a_number", "defines no function autograd(request)"),
    ],
)
def test_a_miniature_that_cannot_be_used_says_why_in_one_line(
    name: str, said: str, tmp_path: Path
) -> None:
    assert load(str(written(name, tmp_path))) == (None, said)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"x = 1\n\n1 / 0\n", "fails on import (line 3): ZeroDivisionError: division by zero"),
        (b"import sys\nsys.exit(3)\n", "fails on import (line 2): SystemExit: 3"),
        (b"raise KeyboardInterrupt\n", "fails on import (line 1): KeyboardInterrupt"),
        (b"x = 1\x00\n", "null bytes"),
        (b"x = 'caf\xe9'\n", "is not UTF-8 text (line 1); save the file as UTF-8"),
        (b"x = (\n  1,,\n)\n", "is not valid Python (line 2): invalid syntax"),
        (b"raise ValueError('a\\nb\\x1b[31m')\n", "fails on import (line 1): ValueError: a"),
        (b"raise SyntaxError('a\\nb')\n", "is not valid Python: a"),
    ],
    ids=["error", "exit", "interrupt", "null", "bytes", "syntax", "lines", "lines of syntax"],
)
def test_whatever_happens_on_import_is_said_in_one_line(
    source: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "tiny.py"
    file.write_bytes(source)
    engine, problem = load(str(file))
    assert engine is None
    assert said in problem
    assert problem.isprintable()


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    missing = load(str(tmp_path / "nowhere.py"))
    assert missing == (None, "cannot be read: No such file or directory")
    assert load(str(tmp_path))[1].startswith("cannot be read: ")


def test_what_the_caller_wants_for_itself_passes_through(tmp_path: Path) -> None:
    file = tmp_path / "tiny.py"
    file.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        load(str(file), (KeyboardInterrupt,))


def test_an_engine_has_its_own_file_and_a_name_of_its_own(tmp_path: Path) -> None:
    source = (
        "import sys\n\ndef autograd(r):\n    return [__file__, sys.modules[__name__].__file__]\n"
    )
    assert asked(tmp_path, source) == {"returned": [str(tmp_path / "tiny.py")] * 2}


# --- asking --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("echoes", {"value": [[1.0]]}),
        ("prints", {"value": [[1.0]]}),
        ("tuples", {"value": [[1.0]]}),
        ("true_for_one", {"value": [[True]]}),
        ("not_rounded", {"value": [[1 / 3]]}),
        ("huge_number", {"value": [[10**4000]]}),
        ("not_a_number", {"value": [[math.nan]]}),
    ],
)
def test_a_result_comes_back_as_plain_data(name: str, result: Any, tmp_path: Path) -> None:
    assert repr(answer_of(name, tmp_path)) == repr({"returned": result})


def test_nothing_of_a_trick_object_is_left(tmp_path: Path) -> None:
    answer = answer_of("always_equal", tmp_path)
    assert type(answer["returned"]) is dict
    assert repr(answer) == "{'returned': {'value': 0.0}}"


@pytest.mark.parametrize(
    "body",
    [
        "return {'value': object()}",
        "return {1, 2}",
        "return {(1, 2): 3}",
        "return 10 ** 5000",
        "r = []; r.append(r); return r",
        "class D(dict):\n        def items(self): raise RuntimeError\n    return D(a=1)",
        "import sys\n    class D(dict):\n        def items(self): sys.exit(0)\n    return D(a=1)",
    ],
    ids=["object", "set", "key", "number", "circle", "raises", "exits"],
)
def test_a_result_that_is_no_plain_data_is_invalid_and_it_is_said_why(
    body: str, tmp_path: Path
) -> None:
    answer = asked(tmp_path, f"def autograd(request):\n    {body}\n")
    assert list(answer) == ["invalid"]
    assert answer["invalid"]


def test_a_result_nested_too_deeply_is_invalid(tmp_path: Path) -> None:
    assert list(answer_of("nests_deeply", tmp_path)) == ["invalid"]


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("raises", "KeyError", "'x'"),
        ("raises_value_error", "ValueError", "shape, step, name"),
        ("not_written", "NotImplementedError", "backward"),
        ("exits", "SystemExit", "0"),
        ("recurses", "RecursionError", "maximum recursion depth exceeded"),
        ("unprintable_error", "Bad", "(its message cannot be printed)"),
        ("hostile_message", "ValueError", "\x1b[2J\x1b[31mshape\n\n20 passed"),
    ],
)
def test_an_exception_is_an_answer(name: str, kind: str, message: str, tmp_path: Path) -> None:
    raised = answer_of(name, tmp_path)["raised"]
    assert (raised["kind"], raised["message"]) == (kind, message)


def test_an_exception_has_the_engines_own_frames(tmp_path: Path) -> None:
    source = "import json\n\ndef autograd(r):\n    return helper(r)\n\ndef helper(r):\n"
    raised = asked(tmp_path, source + "    json.loads('{')\n")["raised"]
    assert raised["kind"] == "JSONDecodeError"
    assert raised["frames"] == [
        {"file": "tiny.py", "line": 4, "function": "autograd", "code": "return helper(r)"},
        {"file": "tiny.py", "line": 7, "function": "helper", "code": "json.loads('{')"},
    ]


def test_of_a_deep_recursion_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    source = "def autograd(r, n=100):\n    if n == 0:\n        r[0]\n    autograd(r, n - 1)\n"
    frames = asked(tmp_path, source)["raised"]["frames"]
    assert [frame["line"] for frame in frames] == [4] * (MOST_FRAMES - 1) + [3]


def test_a_message_has_an_end(tmp_path: Path) -> None:
    raised = asked(tmp_path, "def autograd(r):\n    raise ValueError('x' * 10_000)\n")["raised"]
    assert raised["message"] == "x" * MOST_TEXT


def test_a_message_that_ends_the_process_does_not(tmp_path: Path) -> None:
    source = "class Bad(Exception):\n    def __str__(self): raise SystemExit\n\n"
    answer = asked(tmp_path, source + "def autograd(r):\n    raise Bad\n")
    assert answer["raised"]["message"] == "(its message cannot be printed)"


def test_the_exception_itself_is_for_a_debugger(tmp_path: Path) -> None:
    engine = loaded(tmp_path, "def autograd(r):\n    raise KeyError(1)\n")
    _, caught = ask(engine, [TEXT])
    assert isinstance(caught, KeyError)
    assert ask(loaded(tmp_path, ECHO), [TEXT]) == ({"returned": {"value": [[1.0]]}}, None)


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_let_through_leaves_the_asking(times: int, tmp_path: Path) -> None:
    engine = loaded(tmp_path, "def autograd(r):\n    raise KeyboardInterrupt\n")
    assert ask(engine, [TEXT])[0]["raised"]["kind"] == "KeyboardInterrupt"
    with pytest.raises(KeyboardInterrupt):
        ask(engine, [TEXT] * times, (KeyboardInterrupt,))


# --- arguments -----------------------------------------------------------------------------------


def test_a_changed_argument_is_found(tmp_path: Path) -> None:
    changed = answer_of("mutates", tmp_path)["changed"]
    assert changed == {"before": REQUEST, "after": {**REQUEST, "inputs": {"x": [[2.0]]}}}


def test_a_changed_argument_is_found_even_when_the_engine_raises(tmp_path: Path) -> None:
    changed = answer_of("mutates_and_raises", tmp_path)["changed"]
    assert changed["after"] == {**REQUEST, "steps": [["z", "sum", "x"]]}


def test_a_changed_argument_is_found_in_an_earlier_request_too(tmp_path: Path) -> None:
    source = """
calls = 0

def autograd(request):
    global calls
    calls += 1
    if calls == 2:
        del request["output"]
    return calls
"""
    assert asked(tmp_path, source, 1) == {"returned": 1}
    assert list(asked(tmp_path, source, 2)) == list(asked(tmp_path, source, 3)) == ["changed"]


@pytest.mark.parametrize(
    "change",
    [
        "r['inputs']['x'][0][0] = 1",  # 1 is not 1.0
        "r['inputs'] = dict(r['inputs'], y=0)",
        "r['steps'] = ()\n    r['more'] = 1",
        "r['inputs']['x'] = {1}",
        "r['inputs']['x'] = float('nan')",
        "r['inputs']['x'] = 10 ** 5000",
        "r['me'] = r",
        "r[1, 2] = 3",
        "r['inputs']['x'] = Bad()",
        "v = []\n    for _ in range(100_000): v = [v]\n    r['steps'] = v",
    ],
    ids=["int", "key", "tuple", "set", "nan", "number", "circle", "tuple key", "repr", "deep"],
)
@pytest.mark.parametrize("end", ["return 1", "raise ValueError('name')"])
def test_whatever_an_argument_is_changed_into_is_a_change(
    change: str, end: str, tmp_path: Path
) -> None:
    bad = "class Bad:\n    def __repr__(self): raise ValueError\n\n"
    answer = asked(tmp_path, f"{bad}def autograd(r):\n    {change}\n    {end}\n")
    assert list(answer) == ["changed"]
    assert answer["changed"]["before"] == REQUEST


def test_requests_share_no_data(tmp_path: Path) -> None:
    source = "seen = []\n\ndef autograd(r):\n    seen.append(r)\n"
    source += "    return [seen[0] is r, seen[0]['inputs'] is r['inputs']]\n"
    assert asked(tmp_path, source, 2) == {"returned": [False, False]}


# --- modules -------------------------------------------------------------------------------------


def test_a_module_counts_up_within_one_asking_and_from_anew_in_the_next(tmp_path: Path) -> None:
    engine, _ = load(str(written("remembers", tmp_path)))
    assert engine is not None
    for times in (1, 3, 1, 2):
        assert ask(engine, [TEXT] * times)[0] == {"returned": {"value": [[float(times)]]}}


BESIDE = "import {name}\n\ndef autograd(r):\n    {name}.calls += 1\n    return {name}.calls\n"


def test_modules_in_the_engines_folder_start_anew_too(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("calls = 0\n", encoding="utf-8")
    engine = loaded(tmp_path, BESIDE.format(name="beside_it"), stands_alone=False)
    answers = [ask(engine, [TEXT] * times)[0]["returned"] for times in (1, 3, 2)]
    assert answers == [1, 3, 2]


def test_an_engine_that_stands_alone_has_no_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("calls = 0\n", encoding="utf-8")
    file = tmp_path / "tiny.py"
    file.write_text(BESIDE.format(name="beside_it"), encoding="utf-8")
    _, problem = load(str(file), stands_alone=True)
    said = "fails on import (line 1): ModuleNotFoundError: No module named 'beside_it'"
    assert problem == said


@pytest.mark.parametrize("name", ["json", "colorsys"])
def test_a_module_beside_the_engine_does_not_shadow_one_of_the_standard_library(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name != "json":  # which the worker has imported before
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / f"{name}.py").write_text("raise RuntimeError\n", encoding="utf-8")
    source = f"import {name}\n\ndef autograd(r):\n    return {name}.__file__\n"
    answer = asked(tmp_path, source, stands_alone=False)
    assert not answer["returned"].startswith(str(tmp_path))


def test_dataclasses_work_in_an_engine(tmp_path: Path) -> None:
    source = "from dataclasses import dataclass\n\n@dataclass\nclass Node:\n    x: 'int' = 3\n\n"
    assert asked(tmp_path, source + "def autograd(r):\n    return Node().x\n") == {"returned": 3}


# --- driven --------------------------------------------------------------------------------------


def driven(folder: Path, source: str, driver: str = DRIVER) -> tuple[Engine | None, str]:
    file = folder / "tiny.py"
    file.write_text(source, encoding="utf-8")
    path = driver_in(folder / "driver", driver)
    return load(str(file), stands_alone=True, driver=load_driver(str(path)))


def played(name: str, **given: Any) -> str:
    return json.dumps({"scenario": name, "given": given, "source": KEEPING})


ADDED = json.dumps({"inputs": {"a": 1, "b": 2.5}})


@pytest.mark.parametrize("source", ["", "total = 3\n", ECHO])
def test_what_a_driven_engine_lacks_is_the_drivers_to_say(source: str, tmp_path: Path) -> None:
    assert driven(tmp_path, source) == (None, "defines no function total(numbers)")


def test_a_driven_engine_needs_no_function_autograd(tmp_path: Path) -> None:
    engine, problem = driven(tmp_path, DRIVEN)
    assert (engine is not None, problem) == (True, "")


def test_a_driven_engine_is_asked_through_its_driver(tmp_path: Path) -> None:
    engine, _ = driven(tmp_path, DRIVEN)
    assert engine is not None
    assert ask(engine, [ADDED]) == ({"returned": {"value": [[3.5]]}}, None)
    answer, _ = ask(engine, [played("adding", x=1, y=2)])
    assert answer == {"returned": {"total": [[3.0]]}}


def test_every_asking_drives_a_fresh_module_and_one_asking_the_same(tmp_path: Path) -> None:
    engine, _ = driven(tmp_path, DRIVEN)
    assert engine is not None
    text = played("keeping", mib=0, times=1)
    for times in (1, 3, 1, 2):
        assert ask(engine, [text] * times)[0] == {"returned": {"kept": times}}


@pytest.mark.parametrize("times", [0, 1, 5])
def test_the_process_is_measured_whenever_a_scenario_yields(times: int, tmp_path: Path) -> None:
    engine, _ = driven(tmp_path, DRIVEN)
    assert engine is not None
    looks: list[int] = []
    answer, _ = ask(
        engine, [played("keeping", mib=0, times=times)], measure=lambda: looks.append(1)
    )
    assert (len(looks), answer) == (times + 1, {"returned": {"kept": times}})
    assert ask(engine, [played("keeping", mib=0, times=times)])[0] == answer


def test_an_exception_behind_a_driver_has_the_engines_own_frames(tmp_path: Path) -> None:
    engine, _ = driven(tmp_path, "def total(numbers):\n    return numbers['none']\n")
    assert engine is not None
    answer, caught = ask(engine, [ADDED])
    assert (answer["raised"]["kind"], isinstance(caught, KeyError)) == ("KeyError", True)
    assert [frame["line"] for frame in answer["raised"]["frames"]] == [2]


def test_a_changed_argument_is_found_behind_a_driver_too(tmp_path: Path) -> None:
    source = "def total(numbers):\n    numbers.clear()\n    return 0\n"
    engine, _ = driven(tmp_path, source)
    assert engine is not None
    assert ask(engine, [ADDED])[0]["changed"]["after"] == {"inputs": {}}


def test_a_driver_imports_from_the_folders_it_is_given_last_of_all(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    (packages / "of_the_driver").mkdir(parents=True)
    (packages / "of_the_driver" / "__init__.py").write_text("x = 3\n", encoding="utf-8")
    (packages / "json.py").write_text("raise RuntimeError\n", encoding="utf-8")
    path = str(driver_in(tmp_path, "import json\nimport of_the_driver\n" + DRIVER))
    with pytest.raises(ModuleNotFoundError, match="of_the_driver"):
        load_driver(path)
    before = list(sys.path)
    driver = load_driver(path, (str(packages), "/nowhere"))
    assert driver.of_the_driver.x == 3
    assert sys.path == [*before, str(packages), "/nowhere"]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("1 / 0\n", ZeroDivisionError),
        ("def problem(:\n", SyntaxError),
        ("import no_\n", ImportError),
    ],
)
def test_what_is_wrong_with_a_driver_is_not_held_back(
    source: str, error: type[Exception], tmp_path: Path
) -> None:
    path = driver_in(tmp_path, source)
    with pytest.raises(error):
        load_driver(str(path))
    with pytest.raises(OSError, match="nowhere"):
        load_driver(str(tmp_path / "nowhere.py"))


# --- the stack -----------------------------------------------------------------------------------

MEASURES = """
def autograd(request):
    def deeper(n):
        try:
            return deeper(n + 1)
        except RecursionError:
            return n
    return deeper(0)
"""


def called_from(depth: int, function: Callable[[], Answer]) -> Answer:
    return called_from(depth - 1, function) if depth else function()


def test_an_engine_has_the_same_stack_however_deep_its_caller(tmp_path: Path) -> None:
    engine = loaded(tmp_path, MEASURES)
    depths = {called_from(n, lambda: ask(engine, [TEXT])[0])["returned"] for n in (0, 7, 100, 500)}
    assert len(depths) == 1
    program = conversation(engine.path, question("a", TEXT))[-1]["answer"]["returned"]
    assert abs(depths.pop() - program) <= 5


def through_python(function: Callable[[], Answer]) -> Answer:
    def called() -> Answer:
        return function()

    return called()


def through_map(function: Callable[[], Answer]) -> Answer:
    (answer,) = map(lambda _: function(), [0])  # noqa: C417
    return answer


def through_a_key(function: Callable[[], Answer]) -> Answer:
    answers: list[Answer] = []
    sorted([0], key=lambda _: answers.append(function()) or 0)  # type: ignore[func-returns-value]
    return answers[0]


def test_an_engine_has_the_same_stack_whichever_way_its_caller_was_called(tmp_path: Path) -> None:
    engine = loaded(tmp_path, MEASURES)
    ways = [through_python, through_map, through_a_key, through_python]
    depths = [through(lambda: ask(engine, [TEXT])[0])["returned"] for through in ways]
    assert len(set(depths)) == 1, depths


@pytest.mark.parametrize("line", ["", "sys.setrecursionlimit(3_000)"])
@pytest.mark.parametrize("inner", ["", "sys.setrecursionlimit(4_000)", "raise ValueError"])
def test_the_recursion_limit_is_what_it_was_afterwards(
    line: str, inner: str, tmp_path: Path
) -> None:
    before = sys.getrecursionlimit()
    asked(tmp_path, f"import sys\n{line}\n\ndef autograd(r):\n    {inner}\n    return 1\n")
    assert sys.getrecursionlimit() == before


def test_an_engine_may_raise_the_limit_for_itself(tmp_path: Path) -> None:
    for place in ("import sys\nsys.setrecursionlimit(3_000)\n", ""):
        source = place + MEASURES
        if not place:
            source = source.replace(
                "request):\n", "r):\n    import sys; sys.setrecursionlimit(3_000)\n"
            )
        assert asked(tmp_path, source)["returned"] > 2_000


def test_an_exception_comes_with_the_built_in_classes_it_is_one_of(tmp_path: Path) -> None:
    source = "class ShapeError(ValueError): pass\n\ndef autograd(r):\n    raise ShapeError('x')\n"
    raised = asked(tmp_path, source)["raised"]
    assert raised["kind"] == "ShapeError"
    assert raised["bases"] == ["ValueError", "Exception", "BaseException", "object"]


def test_a_package_beside_an_engine_starts_anew_too(tmp_path: Path) -> None:
    package = tmp_path / "parts_of_it"
    package.mkdir()
    (package / "__init__.py").write_text("calls = 0\n", encoding="utf-8")
    body = "    parts_of_it.calls += 1\n    return parts_of_it.calls\n"
    source = f"import parts_of_it\n\ndef autograd(r):\n{body}"
    engine = loaded(tmp_path, source, stands_alone=False)
    assert [ask(engine, [TEXT])[0] for _ in range(2)] == [{"returned": 1}, {"returned": 1}]


# --- counting ------------------------------------------------------------------------------------

LOOP = "def autograd(request):\n    for _ in range(len(request['steps'])):\n        pass\n"


def counted(folder: Path, source: str, steps: list[int], most: int = 1_000) -> Answer:
    texts = [json.dumps({**REQUEST, "steps": [["y", "tanh", "x"]] * number}) for number in steps]
    return count(loaded(folder, source), texts, most)


def test_work_is_calls_lines_and_returns(tmp_path: Path) -> None:
    """A round of the loop is two lines; a call, the loop's last look and a return come on top."""
    assert counted(tmp_path, LOOP, [0, 1, 10]) == {"counts": [3, 5, 23], "ended": ""}


def test_the_same_work_has_the_same_count_each_time(tmp_path: Path) -> None:
    assert len(set(counted(tmp_path, LOOP, [20] * 10)["counts"])) == 1


def test_counting_ends_where_there_is_more_than_was_to_be_counted(tmp_path: Path) -> None:
    assert counted(tmp_path, LOOP, [10, 20, 30], most=43) == {"counts": [23, 43], "ended": "most"}


@pytest.mark.parametrize("name", ["hangs", "mutates_and_raises", "recurses"])
def test_every_trait_has_its_end(name: str, tmp_path: Path) -> None:
    engine, problem = load(str(written(name, tmp_path)), stands_alone=True)
    assert engine is not None, problem
    expected = {"hangs": "most", "mutates_and_raises": "raised", "recurses": "raised"}[name]
    assert count(engine, [TEXT], 100_000) == {"counts": [], "ended": expected}


@pytest.mark.parametrize(
    "handler", ["except BaseException:\n        return 1", "finally:\n        pass"]
)
def test_a_handler_hides_no_work(handler: str, tmp_path: Path) -> None:
    source = f"def autograd(_):\n    try:\n        while True:\n            pass\n    {handler}\n"
    assert counted(tmp_path, source, [1])["ended"] == "most"


@pytest.mark.parametrize("trace", ["None", "lambda *_: None"])
def test_an_engine_that_traces_for_itself_is_not_counted(trace: str, tmp_path: Path) -> None:
    source = f"import sys\n\n\ndef autograd(_):\n    sys.settrace({trace})\n    return 1\n"
    assert counted(tmp_path, source, [1]) == {"counts": [], "ended": "unknown"}
    assert sys.gettrace() is None


def test_where_somebody_is_tracing_nothing_is_counted_and_the_trace_goes_on(tmp_path: Path) -> None:
    def trace(*_: Any) -> None: ...

    engine = loaded(tmp_path, LOOP)
    sys.settrace(trace)
    try:
        answer = count(engine, [TEXT], 1_000)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(None)
    assert answer == {"counts": [], "ended": "unknown"}


def test_counting_leaves_no_trace_and_no_limit_behind(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    for source in (LOOP, MINIATURES["recurses"], "def autograd(_):\n    raise SystemExit\n"):
        counted(tmp_path, source, [1])
        assert (sys.gettrace(), sys.getrecursionlimit()) == (None, limit)


def test_what_belongs_to_the_caller_is_let_through(tmp_path: Path) -> None:
    engine = loaded(tmp_path, "def autograd(_):\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        count(engine, [TEXT], 1_000, (KeyboardInterrupt,))
    assert sys.gettrace() is None
