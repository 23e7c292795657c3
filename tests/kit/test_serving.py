"""The worker run as a program, over real pipes, as the sandbox runs it."""

import ast
import json
import sys
from pathlib import Path

import pytest

from grader.kit import worker
from tests.kit.serving import conversation, ended, question
from tests.miniatures import (
    DRIVEN,
    DRIVER,
    KEEPING,
    MINIATURES,
    NEEDY_DRIVER,
    driver_in,
    written,
)

TEXT = json.dumps({"op": "value", "inputs": {"x": [[1.0]]}, "steps": [], "output": "x"})
GREETING = [{"worker": "started"}, {"engine": ""}]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits are the kernel's")


def engine(folder: Path, source: str) -> str:
    file = folder / "tiny.py"
    file.write_text(source, encoding="utf-8")
    return str(file)


def test_it_greets_says_that_the_engine_loads_and_ends_with_its_input(tmp_path: Path) -> None:
    path = str(written("echoes", tmp_path))
    assert conversation(path) == GREETING
    assert ended(path).returncode == 0


def test_it_answers_every_question_in_its_turn(tmp_path: Path) -> None:
    path = str(written("remembers", tmp_path))
    questions = [question("a", TEXT), question("b", TEXT, TEXT, TEXT), question("c", TEXT)]
    assert conversation(path, *questions) == [
        *GREETING,
        {"id": "a", "answer": {"returned": {"value": [[1.0]]}}},
        {"id": "b", "answer": {"returned": {"value": [[3.0]]}}},
        {"id": "c", "answer": {"returned": {"value": [[1.0]]}}},
    ]


def test_work_is_counted_between_two_questions(tmp_path: Path) -> None:
    path = str(written("echoes", tmp_path))
    counting = {"id": "2", "count": [TEXT, TEXT], "most": 100}
    frames = conversation(path, question("1", TEXT), counting, question("3", TEXT))
    assert [frame["id"] for frame in frames[2:]] == ["1", "2", "3"]
    assert frames[3]["answer"] == {"counts": [3, 3], "ended": ""}


def test_it_goes_on_after_an_exception_and_after_an_exit(tmp_path: Path) -> None:
    path = str(written("exits", tmp_path))
    _, _, *answers = conversation(path, question("a", TEXT), question("b", TEXT))
    assert [answer["answer"]["raised"]["kind"] for answer in answers] == ["SystemExit"] * 2
    assert [answer["id"] for answer in answers] == ["a", "b"]


def test_it_refuses_an_engine_that_does_not_load_and_answers_nothing(tmp_path: Path) -> None:
    path = str(written("nothing_called_autograd", tmp_path))
    assert conversation(path, question("a", TEXT)) == [
        {"worker": "started"},
        {"engine": "defines no function autograd(request)"},
    ]
    assert ended(path).returncode == 0


def test_a_file_that_is_not_there_is_refused_too(tmp_path: Path) -> None:
    _, refusal = conversation(str(tmp_path / "nowhere.py"))
    assert refusal == {"engine": "cannot be read: No such file or directory"}


def test_what_the_engine_prints_does_not_get_among_the_frames(tmp_path: Path) -> None:
    source = "import os, sys\n" + MINIATURES["prints"]
    source += "os.write(1, b'20 passed')\nos.write(2, b'no')\nprint('no', file=sys.stderr)\n"
    path = engine(tmp_path, source)
    answer = {"id": "a", "answer": {"returned": {"value": [[1.0]]}}}
    assert conversation(path, question("a", TEXT)) == [*GREETING, answer]
    assert ended(path, question("a", TEXT)).stderr == b""


def test_the_engine_cannot_read_what_will_be_asked(tmp_path: Path) -> None:
    path = engine(tmp_path, "import sys\n\ndef autograd(r):\n    return sys.stdin.read()\n")
    answers = conversation(path, question("a", TEXT), question("b", TEXT))[2:]
    assert [answer["answer"] for answer in answers] == [{"returned": ""}] * 2


def test_any_text_survives_the_frames(tmp_path: Path) -> None:
    path = engine(tmp_path, "def autograd(r):\n    raise ValueError(r['op'] + '\\udc80')\n")
    (answer,) = conversation(path, question("a", json.dumps({"op": "größer\n"})))[2:]
    assert answer["answer"]["raised"]["message"] == "größer\n\udc80"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no limit on memory")
def test_memory_is_limited_and_the_worker_survives_it(tmp_path: Path) -> None:
    path = str(written("eats_memory", tmp_path))
    answers = conversation(path, question("a", TEXT), question("b", TEXT))[2:]
    assert [answer["answer"]["raised"]["kind"] for answer in answers] == ["MemoryError"] * 2


def test_only_so_many_files_can_be_open(tmp_path: Path) -> None:
    source = "def autograd(r):\n    return len([open(__file__) for _ in range(r['op'])])\n"
    path = engine(tmp_path, source)
    few, many = (question(str(n), json.dumps({"op": n})) for n in (10, 100))
    answers = [answer["answer"] for answer in conversation(path, few, many)[2:]]
    assert answers[0] == {"returned": 10}
    assert answers[1]["raised"]["kind"] == "OSError"


def test_files_of_any_size_cannot_be_written(tmp_path: Path) -> None:
    target = tmp_path / "written"
    source = "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n\n"
    source += f"def autograd(r):\n    open({str(target)!r}, 'wb').write(bytes(2 << 20))\n"
    (answer,) = conversation(engine(tmp_path, source), question("a", TEXT))[2:]
    assert answer["answer"]["raised"]["kind"] == "OSError"
    assert target.stat().st_size <= worker.MOST_FILE


def test_an_engine_that_allows_itself_any_recursion_is_asked_all_the_same(tmp_path: Path) -> None:
    source = "import sys\n\nsys.setrecursionlimit(10**9)\n\ndef autograd(r):\n    return 1\n"
    (answer,) = conversation(engine(tmp_path, source), question("a", TEXT))[2:]
    assert answer == {"id": "a", "answer": {"returned": 1}}


def test_a_module_beside_the_engine_does_not_shadow_one_of_the_standard_library(
    tmp_path: Path,
) -> None:
    for name in ("json", "colorsys"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError\n", encoding="utf-8")
    source = "import json, colorsys\n\ndef autograd(r):\n    return json.loads('[1]')\n"
    (answer,) = conversation(engine(tmp_path, source), question("a", TEXT))[2:]
    assert answer["answer"] == {"returned": [1]}


# --- driven --------------------------------------------------------------------------------------

KEEPS = json.dumps({"scenario": "keeping", "given": {"mib": 0, "times": 2}, "source": KEEPING})
SEEN = {"id": "a", "measured": True}


def driven(folder: Path, source: str = DRIVER) -> list[str]:
    return [str(driver_in(folder / "driver", source))]


def test_a_look_is_asked_for_and_waited_for_before_the_answer(tmp_path: Path) -> None:
    path, driver = engine(tmp_path, DRIVEN), driven(tmp_path)
    asked = question("a", KEEPS)
    look = {"id": "a", "measure": True}
    answer = {"id": "a", "answer": {"returned": {"kept": 2}}}
    assert conversation(path, asked, *[SEEN] * 3, driver=driver) == [*GREETING, *[look] * 3, answer]


def test_every_look_has_the_name_of_its_question(tmp_path: Path) -> None:
    path = engine(tmp_path, DRIVEN)
    looks = [SEEN] * 3
    said = conversation(
        path, question("a", KEEPS), *looks, question("b", KEEPS), *looks, driver=driven(tmp_path)
    )
    assert [frame["id"] for frame in said[2:]] == ["a"] * 4 + ["b"] * 4
    assert said[5]["answer"] == said[9]["answer"] == {"returned": {"kept": 2}}


def test_a_driven_engine_that_lacks_something_is_refused_as_any_other(tmp_path: Path) -> None:
    path = str(written("echoes", tmp_path))
    said = conversation(path, question("a", TEXT), driver=driven(tmp_path))
    assert said == [{"worker": "started"}, {"engine": "defines no function total(numbers)"}]


def test_a_driver_that_does_not_load_is_heard_and_nothing_is_said_of_the_engine(
    tmp_path: Path,
) -> None:
    done = ended(engine(tmp_path, DRIVEN), driver=driven(tmp_path, NEEDY_DRIVER))
    assert (done.stdout, done.returncode) == (b"", 1)
    said = b"ModuleNotFoundError: No module named 'no_such_package_anywhere'"
    assert done.stderr.splitlines()[-1] == said


def test_a_driver_finds_its_packages_in_the_folders_it_is_given(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / f"packages_{number}"
        folder.mkdir()
        (folder / f"no_{number}.py").write_text("", encoding="utf-8")
    source = "import no_1, no_2\n" + DRIVER
    driver = [*driven(tmp_path, source), *(str(tmp_path / f"packages_{n}") for n in (1, 2))]
    assert conversation(engine(tmp_path, DRIVEN), driver=driver) == GREETING


def test_the_file_imports_nothing_but_the_standard_library() -> None:
    tree = ast.parse(Path(worker.__file__).read_text(encoding="utf-8"))
    names = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "." * node.level]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    assert len(names) > 5
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
