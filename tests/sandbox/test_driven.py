"""Engines that a driver drives: asked, looked at from outside, and shut in like any other.

The driver is one that needs no package, so what is shown to it is only looked at from far.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

from grader.kit.case import Case, Returns
from grader.kit.engine import EngineError, Raised, Returned
from grader.sandbox import SandboxedEngine, WorkerFault
from grader.sandbox import engine as engine_module
from grader.sandbox.packages import packages
from tests.cases import case, scenario
from tests.miniatures import (
    ASKS_TO_BE_MEASURED,
    DRIVEN,
    ECHO,
    KEEPING,
    MINIATURES,
    NEEDY_DRIVER,
    driver_in,
)
from tests.sandbox.hosting import GOOD, HASTY, MIB, PATIENT, Host, statuses, verdicts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is seen on Linux")

ADDS = case(
    request={"op": "value", "inputs": {"x": 1, "y": 2.5}},
    expects=Returns({"value": [[3.5]]}),
    seconds=PATIENT,
)
IN_BWRAP = pytest.mark.parametrize("backend", ["bwrap"], indirect=True)


def keeping(mib: int, times: int, **fields: Any) -> Case:
    fields = {"expects": Returns({"kept": times}), "seconds": PATIENT, **fields}
    return scenario("keeping", KEEPING, {"mib": mib, "times": times}, **fields)


def endless(**fields: Any) -> Case:
    return scenario("endless", KEEPING, **{"expects": Returns({}), "seconds": PATIENT, **fields})


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    return driver_in(tmp_path / "fixtures" / "driven")


def looks(engine: SandboxedEngine, asked: Case) -> list[float]:
    """In MiB."""
    outcome = engine.run(asked)
    assert isinstance(outcome, Returned), outcome
    return [(look or 0) / MIB for look in outcome.resident]


# --- answers -------------------------------------------------------------------------------------


def test_programs_and_scenarios_are_answered_by_the_same_process(host: Host, driver: Path) -> None:
    engine = host(DRIVEN, driver=driver)
    engine.start()
    worker = engine.worker
    cases = [ADDS, keeping(0, 3), keeping(0, 1), ADDS]
    assert statuses(engine, *cases) == ["passed"] * 4
    assert engine.worker is worker


@pytest.mark.parametrize("stands_alone", [True, False])
def test_the_module_is_a_fresh_one_in_every_case(
    host: Host, driver: Path, *, stands_alone: bool
) -> None:
    engine = host(DRIVEN, driver=driver, stands_alone=stands_alone)
    assert statuses(engine, *[keeping(0, 2)] * 3) == ["passed"] * 3


def test_what_a_scenario_raises_is_the_engines(host: Host, driver: Path) -> None:
    engine = host(DRIVEN.replace("def keep(mib):", "def keep(mib):\n    [][mib]"), driver=driver)
    (verdict,) = verdicts(engine, keeping(1, 1))
    place = f"{engine.file.path.name}:8"
    assert (verdict.status, verdict.message) == (
        "raised",
        f"IndexError: list index out of range ({place})",
    )


def test_an_engine_that_cannot_be_driven_is_refused(host: Host, driver: Path) -> None:
    with pytest.raises(EngineError, match=r"\.py: defines no function total\(numbers\)$"):
        host(ECHO, driver=driver).start()


def test_a_driver_that_does_not_load_is_not_the_engines_fault(host: Host, tmp_path: Path) -> None:
    needy = driver_in(tmp_path / "fixtures" / "needy", NEEDY_DRIVER)
    with pytest.raises(WorkerFault, match=r"No module named 'no_such_package_anywhere'$"):
        host(DRIVEN, driver=needy).start()


@pytest.mark.parametrize("name", ["hangs", "exits_at_once", "forges_a_frame", "floods"])
def test_an_engine_that_misbehaves_costs_its_own_case(host: Host, driver: Path, name: str) -> None:
    body = MINIATURES[name].replace("autograd(request)", "keep(mib)")
    engine = host("def total(numbers):\n    return [[3.5]]\n\n" + body, driver=driver)
    bad = scenario(
        "bad", "def bad(engine, tools):\n    return engine.keep(1)\n", seconds=HASTY * 10
    )
    wanted = {"hangs": "timed_out", "exits_at_once": "crashed", "forges_a_frame": "invalid_answer",
              "floods": "too_much_output"}  # fmt: skip
    assert statuses(engine, bad, ADDS) == [wanted[name], "passed"]


# --- memory --------------------------------------------------------------------------------------


def test_what_an_engine_keeps_is_seen_from_outside(host: Host, driver: Path) -> None:
    seen = looks(host(DRIVEN, driver=driver), keeping(64, 3))
    assert 1 < seen[0] < 200
    assert [round((look - seen[0]) / 64) for look in seen] == [0, 1, 2, 3]


def test_an_engine_that_keeps_nothing_does_not_grow(host: Host, driver: Path) -> None:
    seen = looks(host(DRIVEN, driver=driver), keeping(0, 20))
    assert len(seen) == 21
    assert max(seen) - seen[0] < 8


def test_what_is_kept_beyond_the_limit_is_wrong_and_within_it_is_not(
    host: Host, driver: Path
) -> None:
    engine = host(DRIVEN, driver=driver)
    lean, fat = (verdicts(engine, keeping(mib, 2, memory=24.0))[0] for mib in (4, 64))
    assert lean.status == "passed"
    assert fat.message.startswith("memory grew by 12")
    assert fat.message.endswith(" MiB, where at most 24 MiB should stay")


IN_A_CHILD = """
import os, time

def total(numbers): ...

kept = [0]

def keep(mib):
    read, write = os.pipe()
    if os.fork() == 0:
        held = b'x' * (mib << 20)
        os.write(write, b'.')
        time.sleep(60)
        os._exit(0)
    os.read(read, 1)
"""


def test_nothing_can_be_handed_to_a_child(host: Host, driver: Path) -> None:
    outcome = host(IN_A_CHILD, driver=driver).run(keeping(64, 1))
    assert isinstance(outcome, Raised)
    assert outcome.kind == "PermissionError"


# --- looks without end ---------------------------------------------------------------------------


def test_a_scenario_may_be_looked_at_so_often_and_no_more(
    host: Host, driver: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MOST_MEASURED", 20)
    engine = host(DRIVEN, driver=driver)
    cases = [keeping(0, 19), keeping(0, 20), endless(), keeping(0, 19)]
    assert statuses(engine, *cases) == ["passed", "invalid_answer", "invalid_answer", "passed"]


def test_looks_without_end_do_not_outlast_the_cases_time(
    host: Host, driver: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MOST_MEASURED", 1 << 30)
    engine = host(DRIVEN, driver=driver)
    assert statuses(engine, endless(seconds=HASTY), ADDS) == ["timed_out", "passed"]


def test_an_engine_without_a_driver_gains_nothing_by_looks_of_its_own(host: Host) -> None:
    engine = host(ASKS_TO_BE_MEASURED)
    assert statuses(engine, GOOD) == ["invalid_answer"]


# --- what is shown -------------------------------------------------------------------------------

LOOKS_AROUND = """
import importlib.util
import os
import sys

def total(numbers): ...

def around(names):
    def tried(action):
        try:
            return action()
        except BaseException as error:
            return type(error).__name__

    sandbox = '/sandbox/packages'
    return {
        'found': [name for name in names if importlib.util.find_spec(name)],
        'imported': [tried(lambda: __import__(name).__name__) for name in names],
        'packages': tried(lambda: sorted(os.listdir(sandbox))),
        'sandbox': tried(lambda: sorted(os.listdir('/sandbox'))),
        'written': tried(lambda: open(sandbox + '/x', 'w')),
        'driver': tried(lambda: open('/sandbox/driver.py', 'a')),
        'beside': tried(lambda: sorted(os.listdir(os.path.dirname(__file__)))),
    }
"""
LOOK = "def look(engine, tools, names):\n    return engine.around(names)\n"


@IN_BWRAP
def test_a_driven_engine_sees_torch_and_its_requirements_and_no_more(
    host: Host, driver: Path
) -> None:
    graders = ["grader", "pytest", "yaml", "click", "hypothesis", "tests"]
    engine = host(LOOKS_AROUND, driver=driver)
    seen = engine.run(scenario("look", LOOK, {"names": graders}, seconds=PATIENT))
    assert isinstance(seen, Returned), seen
    assert seen.result == {
        "found": [],
        "imported": ["ModuleNotFoundError"] * len(graders),
        "packages": sorted(path.name for path in packages()),
        "sandbox": ["driver.py", "engine", "packages", "worker.py"],
        "written": "OSError",
        "driver": "OSError",
        "beside": [engine.file.path.name],
    }


@IN_BWRAP
def test_torch_can_be_found_by_a_driven_engine_and_by_no_other(host: Host, driver: Path) -> None:
    finds = (
        "import importlib.util\n\n\ndef {}:\n    return bool(importlib.util.find_spec('torch'))\n"
    )
    driven = host(finds.format("total(numbers)"), driver=driver).run(ADDS)
    other = host(finds.format("autograd(request)")).run(GOOD)
    assert isinstance(driven, Returned)
    assert isinstance(other, Returned)
    assert (driven.result, other.result) == ({"value": True}, False)
