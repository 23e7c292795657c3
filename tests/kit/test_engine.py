"""Where an engine is found, and what comes of asking one in this process."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.kit.engine import (
    ChangedRequest,
    Counts,
    EngineError,
    EngineFile,
    Faulted,
    Frame,
    InProcessEngine,
    InvalidAnswer,
    NotAttempted,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    counts_of,
    driver_of,
    find_engine,
    load_driver,
    outcome_of,
    texts_of,
)
from tests.cases import case, scenario
from tests.kit.values import json_values
from tests.miniatures import DRIVEN, DRIVER, ECHO, KEEPING, NEEDY_DRIVER, driver_in, written

SECONDS = 0.25


@pytest.fixture(autouse=True)
def _same_path() -> Iterator[None]:
    path = list(sys.path)
    yield
    sys.path[:] = path


# --- finding -------------------------------------------------------------------------------------

FILES = [
    "whole/tiny.py",
    "whole/tensor.py",
    "kit/candidate/tiny.py",
    "both/tiny.py",
    "both/candidate/tiny.py",
    "alone/answer.py",
    "packed/tiny.zip",
    "other/tensor.py",
    "odd/tiny.py/deeper.txt",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        file = tmp_path / "here" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("", encoding="utf-8")
    return tmp_path / "here"


@pytest.mark.parametrize(
    ("name", "found", "stands_alone"),
    [
        ("whole", "whole/tiny.py", False),
        ("whole/", "whole/tiny.py", False),
        ("kit", "kit/candidate/tiny.py", False),
        ("kit/candidate", "kit/candidate/tiny.py", False),
        ("both", "both/tiny.py", False),
        ("alone/answer.py", "alone/answer.py", True),
        ("whole/tiny.py", "whole/tiny.py", True),
        ("whole/tensor.py", "whole/tensor.py", True),
    ],
)
def test_an_engine_is_a_file_or_the_file_of_the_exercise_in_a_folder(
    name: str,
    found: str,
    stands_alone: bool,  # noqa: FBT001
    folder: Path,
) -> None:
    assert find_engine(name, "tiny", [folder]) == EngineFile(folder / found, stands_alone)
    absolute = find_engine(str(folder / name), "tiny", [Path.cwd()])
    assert absolute == EngineFile(folder / found, stands_alone)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "there is no such engine, file or folder"),
        ("alone", "the folder has no tiny.py, nor candidate/tiny.py"),
        ("other", "the folder has no tiny.py, nor candidate/tiny.py"),
        ("odd", "the folder has no tiny.py, nor candidate/tiny.py"),
        ("packed/tiny.zip", "an engine is a .py file or a folder; unpack it first"),
    ],
)
def test_what_is_no_engine_says_why_in_one_line(name: str, said: str, folder: Path) -> None:
    with pytest.raises(EngineError) as caught:
        find_engine(name, "tiny", [folder])
    assert str(caught.value) == f"{name}: {said}"


def test_a_name_is_looked_up_in_one_place_after_the_other(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    for place, name in ((elsewhere, "whole"), (elsewhere, "mine")):
        written("echoes", place / name)
    bases = [elsewhere, folder]
    assert find_engine("whole", "tiny", bases).path == elsewhere / "whole" / "tiny.py"
    assert find_engine("kit", "tiny", bases).path == folder / "kit" / "candidate" / "tiny.py"
    assert find_engine("mine", "tiny", reversed(bases)).path == elsewhere / "mine" / "tiny.py"


def test_an_engine_is_found_with_the_driver_of_its_exercise(folder: Path) -> None:
    driver = folder / "driver.py"
    for name in ("whole", "alone/answer.py"):
        assert find_engine(name, "tiny", [folder], driver).driver == driver
        assert find_engine(name, "tiny", [folder]).driver is None


def test_a_driver_lies_beside_the_cases_of_its_exercise(tmp_path: Path) -> None:
    path = driver_in(tmp_path / "driven")
    (tmp_path / "odd" / "driver.py").mkdir(parents=True)
    assert driver_of("driven", tmp_path) == path
    assert driver_of("odd", tmp_path) is None
    assert driver_of("nowhere", tmp_path) is None


# --- answers -------------------------------------------------------------------------------------

RAISE = Frame("tiny.py", 3, "f", "raise")
KEY = {"kind": "KeyError", "bases": ["LookupError"]}
PLACE = {"file": "tiny.py", "line": 3, "function": "f", "code": "raise"}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ({"returned": {"value": 1}}, Returned({"value": 1}, SECONDS)),
        ({"returned": None}, Returned(None, SECONDS)),
        (
            {"raised": {**KEY, "message": "x", "frames": [PLACE]}},
            Raised(
                "KeyError", "x", (Frame("tiny.py", 3, "f", "raise"),), SECONDS, ("LookupError",)
            ),
        ),
        (
            {"raised": {**KEY, "message": "", "frames": [{"file": 1}, None]}},
            Raised("KeyError", "", (Frame("?", 0, "?", ""),) * 2, SECONDS, ("LookupError",)),
        ),
        ({"changed": {"before": 1, "after": 2}}, ChangedRequest(1, 2, SECONDS)),
        ({"invalid": "a set"}, InvalidAnswer("a set", SECONDS)),
    ],
)
def test_an_answer_is_read_as_an_outcome(answer: dict[str, Any], outcome: Outcome) -> None:
    assert outcome_of(answer, SECONDS) == outcome


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"value": [[1.0]]},
        {"raised": "KeyError"},
        {"raised": {"kind": "KeyError", "message": "x"}},
        {"raised": {"kind": None, "message": "x", "frames": []}},
        {"raised": {"kind": "KeyError", "message": 3, "frames": []}},
        {"raised": {"kind": "KeyError", "message": "x", "frames": "none"}},
        {"changed": {"before": 1}},
        {"changed": []},
        {"invalid": None},
    ],
)
def test_an_answer_of_another_form_is_invalid(answer: dict[str, Any]) -> None:
    outcome = InvalidAnswer("the answer is not of the agreed form", SECONDS)
    assert outcome_of(answer, SECONDS) == outcome


WORDS = st.sampled_from(["returned", "raised", "changed", "invalid", "kind", "message", "frames"])


def test_a_case_that_was_not_asked_has_taken_no_time() -> None:
    assert (NotAttempted("no engine").seconds, Faulted("no disk").seconds) == (0.0, 0.0)


@pytest.mark.parametrize("resident", [(), (1, 2), (None, 3)])
def test_only_a_result_has_the_looks_at_its_process(resident: tuple[int | None, ...]) -> None:
    assert outcome_of({"returned": 1}, SECONDS, resident) == Returned(1, SECONDS, resident)
    assert outcome_of({"invalid": "x"}, SECONDS, resident) == InvalidAnswer("x", SECONDS)


@given(st.dictionaries(WORDS, st.dictionaries(WORDS, json_values()) | json_values()))
@settings(deadline=None, max_examples=100)
def test_any_answer_at_all_is_some_outcome(answer: dict[str, Any]) -> None:
    outcome = outcome_of(answer, SECONDS)
    assert isinstance(outcome, Returned | Raised | ChangedRequest | InvalidAnswer)
    assert outcome.seconds == SECONDS


# --- in this process -----------------------------------------------------------------------------


def engine(name: str, folder: Path) -> InProcessEngine:
    return InProcessEngine(EngineFile(written(name, folder), stands_alone=True))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("echoes", Returned),
        ("not_a_number", Returned),
        ("raises", Raised),
        ("exits", Raised),
        ("recurses", Raised),
        ("not_written", Raised),
        ("mutates", ChangedRequest),
        ("mutates_and_raises", ChangedRequest),
        ("no_plain_data", InvalidAnswer),
        ("nests_deeply", InvalidAnswer),
    ],
)
def test_asking_a_miniature_has_an_outcome(name: str, kind: type[Outcome], tmp_path: Path) -> None:
    outcome = engine(name, tmp_path).run(case(seconds=60.0))
    assert type(outcome) is kind
    assert 0 < outcome.seconds < 60


def test_the_last_answer_is_the_outcome(tmp_path: Path) -> None:
    plain = case(seconds=60.0)
    three = case(seconds=60.0, first=(plain.request, plain.request))
    outcome = engine("remembers", tmp_path).run(three)
    assert isinstance(outcome, Returned)
    assert outcome.result == {"value": [[3.0]]}


def test_an_answer_that_comes_too_late_is_none(tmp_path: Path) -> None:
    outcome = engine("echoes", tmp_path).run(case(seconds=1e-9))
    assert isinstance(outcome, TimedOut)
    assert outcome.seconds > 1e-9


def test_the_exception_of_the_last_case_is_at_hand(tmp_path: Path) -> None:
    file = tmp_path / "tiny.py"
    source = "def autograd(r):\n    if r['op'] != 'value':\n        raise KeyError\n    return {}\n"
    file.write_text(source, encoding="utf-8")
    asked = InProcessEngine(EngineFile(file, stands_alone=True))
    fails, works = case(op="grad", seconds=60.0), case(seconds=60.0)
    asked.run(fails)
    assert isinstance(asked.caught, KeyError)
    asked.run(works)
    assert asked.caught is None
    asked.run(fails)
    asked.let_through = (KeyError,)
    with pytest.raises(KeyError):
        asked.run(fails)
    assert asked.caught is None


def test_what_is_let_through_leaves_the_engine(tmp_path: Path) -> None:
    file = EngineFile(written("raises", tmp_path), stands_alone=True)
    with pytest.raises(KeyError):
        InProcessEngine(file, (KeyError,)).run(case())


@pytest.mark.parametrize("name", ["breaks_on_import", "broken_syntax", "nothing_called_autograd"])
def test_an_engine_that_does_not_load_says_so_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        engine(name, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.py'}: ")
    assert len(str(caught.value).splitlines()) == 1


def test_an_engine_is_sent_what_the_case_says_and_no_more() -> None:
    first = case(inputs={"x": [[0.1]]}, steps=[["y", "sum", "x"]]).request
    asked = case(op="grad", inputs={"x": [[1e-5, 3]]}, first=(first,))
    texts = texts_of(asked.requests)
    assert [json.loads(text) for text in texts] == [first, asked.request]
    assert list(json.loads(texts[1])) == ["op", "inputs", "steps", "output"]


def test_an_engine_that_hangs_on_import_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.kit.engine.IMPORT_SECONDS", 0.2)
    file = EngineFile(written("hangs_on_import", tmp_path), stands_alone=True)
    with pytest.raises(EngineError, match=r"tiny\.py: was not imported within 0\.2 s"):
        InProcessEngine(file)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"# caf\xe9\n", "is not UTF-8 text (line 1); save the file as UTF-8"),
        (b"x = 1\ny = 2\n# caf\xe9\n", "is not UTF-8 text (line 3); save the file as UTF-8"),
    ],
)
def test_a_file_that_python_would_not_read_is_not_run(
    source: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "tiny.py"
    file.write_bytes(source + b"def autograd(r): return 1\n")
    with pytest.raises(EngineError, match=re.escape(said)):
        InProcessEngine(EngineFile(file, stands_alone=True))
    file.write_bytes(b"# coding: latin-1\n" + file.read_bytes())
    InProcessEngine(EngineFile(file, stands_alone=True))


# --- driven --------------------------------------------------------------------------------------


def driven(folder: Path, driver: str = DRIVER, source: str = DRIVEN) -> InProcessEngine:
    file = folder / "hand_in" / "driven.py"
    file.parent.mkdir()
    file.write_text(source, encoding="utf-8")
    path = driver_in(folder / "fixtures" / "driven", driver)
    return InProcessEngine(EngineFile(file, stands_alone=True, driver=path))


def test_a_driven_engine_is_asked_through_its_driver(tmp_path: Path) -> None:
    asked = driven(tmp_path)
    added = asked.run(case(request={"inputs": {"a": 1, "b": 2}}, seconds=60.0))
    assert isinstance(added, Returned)
    assert (added.result, added.resident) == ({"value": [[3.0]]}, ())


def test_the_process_is_looked_at_whenever_a_scenario_yields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(100))
    monkeypatch.setattr("grader.kit.engine.resident_bytes", lambda _: next(looks))
    asked = driven(tmp_path)
    plays = scenario("keeping", KEEPING, {"mib": 0, "times": 2}, seconds=60.0)
    outcomes = [asked.run(plays) for _ in range(2)]
    assert [getattr(outcome, "resident", None) for outcome in outcomes] == [(0, 1, 2), (3, 4, 5)]
    assert [getattr(outcome, "result", None) for outcome in outcomes] == [{"kept": 2}] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be measured there")
def test_what_an_engine_keeps_is_seen(tmp_path: Path) -> None:
    plays = scenario("keeping", KEEPING, {"mib": 64, "times": 2}, seconds=60.0)
    outcome = driven(tmp_path).run(plays)
    assert isinstance(outcome, Returned)
    first, second, third = (look or 0 for look in outcome.resident)
    assert [round((look - first) / (64 << 20)) for look in (second, third)] == [1, 2]


def test_an_engine_that_the_driver_has_no_use_for_says_so_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        driven(tmp_path, source=ECHO)
    path = tmp_path / "hand_in" / "driven.py"
    assert str(caught.value) == f"{path}: defines no function total(numbers)"


def test_a_driver_that_needs_a_missing_package_says_what_to_install(tmp_path: Path) -> None:
    name = "no_such_package_anywhere"
    said = f"the driven exercise needs {name}: pip install 'autograde[{name}]'"
    with pytest.raises(EngineError, match=f"^{re.escape(said)}$"):
        driven(tmp_path, NEEDY_DRIVER)
    with pytest.raises(EngineError, match=f"^{re.escape(said)}$"):
        load_driver(tmp_path / "fixtures" / "driven" / "driver.py")


# --- counting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        ({"counts": [3, 5], "ended": ""}, Counts((3, 5))),
        ({"counts": [3], "ended": "most"}, Counts((3,), "most")),
        ({"counts": [], "ended": "raised"}, Counts(ended="raised")),
        ({"counts": [], "ended": "unknown"}, Counts(ended="unknown")),
    ],
)
def test_counts_are_read(answer: Any, counts: Counts) -> None:
    assert counts_of(answer, 2) == counts


@pytest.mark.parametrize(
    "answer",
    [
        *(None, 1, [], {}, {"counts": 1, "ended": ""}, {"counts": [3, 5]}),
        *({"counts": [3], "ended": ""}, {"counts": [3, 5, 7], "ended": ""}),
        *({"counts": [3, 5], "ended": "most"}, {"counts": [3], "ended": "bored"}),
        *({"counts": [3, -5], "ended": ""}, {"counts": [3, True], "ended": ""}),
        *({"counts": [3, 5.0], "ended": ""}, {"counts": [3, "5"], "ended": ""}),
        *({"counts": [3], "ended": "late"}, {"counts": [3], "ended": ["most"]}),
    ],
)
def test_forged_counts_are_no_counts(answer: Any) -> None:
    assert counts_of(answer, 2) == Counts(ended="unknown")


def test_an_engine_in_this_process_is_counted(tmp_path: Path) -> None:
    engine = InProcessEngine(EngineFile(written("echoes", tmp_path), stands_alone=True))
    assert engine.counts([case().request] * 2, 100, 10.0) == Counts((3, 3))
    assert engine.counts([case().request], 2, 10.0) == Counts(ended="most")
    assert engine.counts([case().request], 100, 0.0) == Counts(ended="late")
