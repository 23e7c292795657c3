"""What a candidate sees who runs pytest: choosing, reporting, and running on from there."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.kit.project import RIGHT, WRONG, Project, Run, driven_project, entry, small_project
from tests.miniatures import ECHO, MINIATURES, NEEDY_DRIVER

STAGE1 = "fixtures/tiny/visible/stage1/x.yaml"
STAGE2 = "fixtures/tiny/visible/stage2/x.yaml"
HIDDEN = "fixtures/tiny/hidden/stage1/x.yaml"
SAID = "wrong: value[0][1] should be 3.0, not 2.0"
FAILED_1, FAILED_2, FAILED_HIDDEN = (
    f"FAILED {path}::{name}_wrong - {SAID}"
    for path, name in ((STAGE1, "visible"), (STAGE2, "visible"), (HIDDEN, "hidden"))
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return small_project(tmp_path)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """`pytest`, and nothing else."""
    return small_project(tmp_path_factory.mktemp("bare")).pytest()


# --- choosing and reporting ----------------------------------------------------------------------


def test_a_bare_run_asks_every_visible_case_and_no_hidden_one(bare: Run) -> None:
    assert bare.code == 1
    assert bare.summary == [FAILED_1, FAILED_2]
    assert "2 failed, 2 passed" in bare.said
    assert "hidden" not in bare.said


def test_a_failure_is_reported_by_its_fact_and_shown_without_a_traceback(bare: Run) -> None:
    at = bare.lines.index(SAID)
    assert bare.lines[at + 2] == f"{STAGE1}:9: visible_wrong"
    assert "Traceback" not in bare.said
    assert "plugin.py" not in bare.said


def test_the_header_names_the_engine_and_the_end_has_a_bar_for_every_stage(bare: Run) -> None:
    assert "engine: candidate" in bare.lines
    bars = [line for line in bare.lines if line.startswith("stage")]
    assert bars == [f"stage{n}     [############............] 1 of 2" for n in (1, 2)]
    assert bare.lines.index(bars[0]) > bare.lines.index(SAID)


def test_a_stage_is_chosen_by_its_name(project: Project) -> None:
    run = project.pytest("-k", "stage1")
    assert (run.code, run.summary) == (1, [FAILED_1])
    assert "1 failed, 1 passed, 2 deselected" in run.said
    assert not any(line.startswith("stage2") for line in run.lines)


def test_a_case_is_chosen_by_its_name_and_a_run_that_passes_ends_with_0(project: Project) -> None:
    run = project.pytest("-k", "stage2 and right", "-v")
    assert run.code == 0
    assert f"{STAGE2}::visible_right PASSED" in run.said
    assert "stage2     [########################] 1 of 1" in run.lines
    assert project.pytest(f"{STAGE1}::visible_right").code == 0


def test_a_choice_that_fits_nothing_ends_with_5_and_without_a_bar(project: Project) -> None:
    run = project.pytest("-k", "stage9")
    assert run.code == 5
    assert not any(line.startswith("stage") for line in run.lines)


def test_hidden_cases_are_asked_when_they_are_asked_for(project: Project) -> None:
    run = project.pytest("--hidden", "-k", "stage1")
    assert run.summary == [FAILED_HIDDEN, FAILED_1]
    assert "stage1     [############............] 2 of 4" in run.lines


def test_of_a_file_that_is_not_chosen_nothing_is_parsed(project: Project) -> None:
    project.fixture(entry("visible_right") + "  [broken\n", "visible/stage2/x.yaml")
    assert project.pytest("-k", "stage1 and right").code == 0


def test_collecting_names_the_cases_and_loads_no_engine(project: Project) -> None:
    project.engine(f"open({str(project.root / 'loaded')!r}, 'w')\n" + ECHO)
    run = project.pytest("--collect-only", "-q", "--hidden")
    assert run.code == 0
    names = [f"{path}::visible_{end}" for path in (STAGE1, STAGE2) for end in ("right", "wrong")]
    assert run.lines[:6] == [f"{HIDDEN}::hidden_right", f"{HIDDEN}::hidden_wrong", *names]
    assert not (project.root / "loaded").exists()
    assert project.pytest("-k", "right").code == 0
    assert (project.root / "loaded").exists()


# --- running on from there -----------------------------------------------------------------------


def test_the_last_failures_can_be_run_again(project: Project) -> None:
    project.pytest()
    project.fixture(entry("visible_right") + entry("visible_wrong"))
    run = project.pytest("--lf")
    assert run.summary == [FAILED_2]
    assert "1 failed, 1 passed" in run.said


def test_a_run_can_stop_at_the_first_failure_and_go_on_from_there(project: Project) -> None:
    first = project.pytest("-x")
    assert (first.code, first.summary) == (1, [FAILED_1])
    second = project.pytest("--sw")
    assert second.summary == [FAILED_1]
    project.fixture(entry("visible_right") + entry("visible_wrong"))
    third = project.pytest("--sw")
    assert third.summary == [FAILED_2]
    assert "1 failed, 2 passed, 1 deselected" in third.said


def test_the_report_for_machines_has_every_case_with_its_fact(project: Project) -> None:
    project.pytest("--junitxml=report.xml", "-o", "junit_family=xunit1")
    tests = list(ET.parse(project.root / "report.xml").getroot().iter("testcase"))  # noqa: S314
    assert [test.get("name") for test in tests] == ["visible_right", "visible_wrong"] * 2
    places = [(test.get("file"), test.get("line")) for test in tests]
    assert places == [(path, line) for path in (STAGE1, STAGE2) for line in ("0", "8")]
    failures = [test.find("failure") for test in tests]
    assert [failure is not None for failure in failures] == [False, True] * 2
    assert failures[1] is not None
    assert (failures[1].text or "").splitlines()[0] == SAID


def test_a_run_can_be_shared_among_processes(project: Project) -> None:
    run = project.pytest("-p", "xdist", "-n", "2")
    assert run.code == 1
    assert sorted(run.summary) == [FAILED_1, FAILED_2]
    assert "2 failed, 2 passed" in run.said
    for stage in ("stage1", "stage2"):
        assert f"{stage}     [############............] 1 of 2" in run.lines


RAISES_BELOW = """
def autograd(request):
    return helper(request, 41)

def helper(request, number):
    mark = number + 1
    raise KeyError(mark)
"""


def test_the_debugger_opens_where_the_engine_raised(project: Project) -> None:
    project.engine(RAISES_BELOW)
    run = project.pytest(
        "--pdb", "-k", "stage1 and right", typed="p mark\np request\nup\np sorted(request)\nq\n"
    )
    assert "tiny.py(7)helper()" in run.said
    assert "-> raise KeyError(mark)" in run.lines
    assert "(Pdb) 42" in run.lines
    assert (
        "(Pdb) {'op': 'value', 'inputs': {'x': [[1.0, 2.0]]}, 'steps': [], 'output': 'x'}"
        in run.lines
    )
    assert "tiny.py(3)autograd()" in run.said
    assert "(Pdb) ['inputs', 'op', 'output', 'steps']" in run.lines


def test_the_debugger_can_be_called_from_the_engine(project: Project) -> None:
    project.engine(ECHO.replace(":\n", ":\n    breakpoint()\n"))
    run = project.pytest("-k", "stage1 and right", typed="p sorted(request)\nc\n")
    assert run.code == 0
    assert "(Pdb) ['inputs', 'op', 'output', 'steps']" in run.said


def test_an_exception_is_shown_with_the_engines_own_lines_only(project: Project) -> None:
    project.engine(RAISES_BELOW)
    run = project.pytest("-k", "stage1 and right")
    assert run.summary == [f"FAILED {STAGE1}::visible_right - raised: KeyError: 42 (tiny.py:7)"]
    at = run.lines.index("raised in")
    assert run.lines[at + 1 : at + 5] == [
        "  tiny.py:3 in autograd",
        "    return helper(request, 41)",
        "  tiny.py:7 in helper",
        "    raise KeyError(mark)",
    ]
    assert "Traceback" not in run.said
    assert "_pytest" not in run.said


# --- time ----------------------------------------------------------------------------------------

HANGS_ON_GRAD = """
def autograd(request):
    while request['op'] == 'grad':
        pass
    return {'value': request['inputs']['x']}
"""
STUBBORN = """
import time

def autograd(request):
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                pass
        except BaseException:
            pass
    return {'value': request['inputs']['x']}
"""


NO_ALARM = "import grader.kit.plugin\n\ngrader.kit.plugin.HAS_ALARM = False\n"


@pytest.mark.parametrize(
    "options", [[], ["-p", "no_alarm"]], ids=["with an alarm signal", "without one"]
)
def test_an_engine_that_hangs_is_stopped_and_the_next_case_is_asked(
    options: list[str], project: Project
) -> None:
    project.file("no_alarm.py", NO_ALARM)
    project.engine(HANGS_ON_GRAD)
    hanging = entry("hangs", "raises: op", op="grad", seconds="0.1")
    project.fixture(hanging + entry("goes_on") + hanging.replace("hangs", "hangs_again"))
    run = project.pytest("-k", "stage1", *options)
    assert run.summary == [
        f"FAILED {STAGE1}::{name} - timed out: no answer within 0.1 s"
        for name in ("hangs", "hangs_again")
    ]
    assert "2 failed, 1 passed" in run.said


def test_an_engine_that_swallows_the_limit_and_answers_late_has_timed_out(
    project: Project,
) -> None:
    project.engine(STUBBORN)
    project.fixture(entry("late", seconds="0.1") + entry("in_time", seconds="30"))
    run = project.pytest("-k", "stage1")
    assert run.summary == [f"FAILED {STAGE1}::late - timed out: no answer within 0.1 s"]
    assert "1 failed, 1 passed" in run.said


@pytest.mark.skipif(sys.platform == "win32", reason="there the limit is another one")
def test_an_engine_that_never_lets_go_is_stopped_with_the_whole_run(project: Project) -> None:
    project.engine(MINIATURES["hangs_stubbornly"])
    project.fixture(entry("hangs", seconds="0.1"))
    run = project.pytest("-k", "stage1", "-o", "faulthandler_timeout=0.4")
    assert run.code != 0
    assert "Timeout (0:00:00.4" in run.said
    assert "tiny.py" in run.said
    assert "failed" not in run.said


def test_the_cases_after_a_failure_are_not_less_asked(project: Project) -> None:
    text = "".join(entry(f"case_{n}", WRONG if n % 2 else RIGHT) for n in range(20))
    project.fixture(text)
    run = project.pytest("-k", "stage1")
    assert "10 failed, 10 passed" in run.said
    assert "stage1     [############............] 10 of 20" in run.lines


# --- driven exercises ----------------------------------------------------------------------------

KEPT, TWIST = (f"fixtures/driven/{where}/kept.yaml" for where in ("visible/stage1", "twists/more"))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """`pytest` where one exercise has a driver and the other has none."""
    return driven_project(tmp_path_factory.mktemp("both")).pytest()


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be measured there")
def test_scenarios_pass_and_fail_beside_programs_and_other_exercises(both: Run) -> None:
    facts = [
        f"FAILED {path}::{name} - wrong: {said}"
        for path in (TWIST, KEPT)
        for name, said in (
            ("keeps_too_much", "memory grew by 64 MiB, where at most 24 MiB should stay"),
            ("adds_up_wrongly", "total[0][0] should be 4.0, not 3.0"),
        )
    ]
    assert both.summary == [*facts, FAILED_1, FAILED_2]
    assert "6 failed, 5 passed" in both.said


def test_a_twist_is_a_stage_like_any_other(both: Run) -> None:
    assert "more       [########................] 1 of 3" in both.lines
    assert "stage1     [#########...............] 2 of 5" in both.lines
    assert "stage2     [################........] 2 of 3" in both.lines


def test_a_scenario_that_fails_is_shown_with_its_call_and_its_code(both: Run) -> None:
    at = both.lines.index("wrong: total[0][0] should be 4.0, not 3.0")
    path = TWIST.replace(".yaml", ".py")
    assert both.lines[at + 2] == f"{TWIST}:16: adds_up_wrongly"
    assert both.lines[at + 5 : at + 8] == [
        f"adding(x=1, y=2), of {path}:",
        "  def adding(engine, tools, **numbers):",
        "      return {'total': engine.total(numbers)}",
    ]


def test_an_exercise_is_chosen_by_its_name(tmp_path: Path) -> None:
    project = driven_project(tmp_path)
    project.file("candidate/driven.py", ECHO)
    assert project.pytest("-k", "tiny and right").code == 0
    run = project.pytest("-k", "driven and adds_up")
    assert run.code == pytest.ExitCode.USAGE_ERROR
    (said,) = [line for line in run.lines if line.startswith("ERROR: ")]
    assert said.endswith("driven.py: defines no function total(numbers)")


def test_a_driver_that_needs_a_missing_package_is_one_line(tmp_path: Path) -> None:
    project = driven_project(tmp_path)
    project.file("fixtures/driven/driver.py", NEEDY_DRIVER)
    run = project.pytest("-k", "driven")
    name = "no_such_package_anywhere"
    assert run.code == pytest.ExitCode.USAGE_ERROR
    said = f"ERROR: the driven exercise needs {name}: pip install 'autograde[{name}]'"
    assert [line for line in run.lines if name in line] == [said]
    assert project.pytest("-k", "tiny and right").code == 0


def test_a_scenario_whose_file_is_missing_fails_alone(tmp_path: Path) -> None:
    project = driven_project(tmp_path)
    (project.root / KEPT).with_suffix(".py").unlink()
    run = project.pytest("-k", "driven and keeps_a_little")
    assert run.code == 1
    assert "1 failed, 1 passed" in run.said
    (said,) = [line for line in run.lines if line.startswith(f"{project.root / KEPT}:3: ")]
    assert "the scenario's file" in said
    assert run.summary[0] == f"FAILED {KEPT}::keeps_a_little - {said}"
