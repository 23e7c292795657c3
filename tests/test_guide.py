"""The interviewer's guide: read to the letter, and complete for the exercises of the project."""

from pathlib import Path

import pytest

from grader.guide import Guide, Hint, Question, Twist
from grader.kit.strict_yaml import FixtureError
from grader.project import FIXTURES, Exercise, ProjectError, read_exercise
from grader.report.prose import Code, blocks
from tests.guides import TEXT, exercise, written_exercise

SHIPPED = sorted(file.parent.name for file in FIXTURES.glob("*/exercise.yaml"))


# --- reading -------------------------------------------------------------------------------------


def test_a_guide_is_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    guide = exercise(tmp_path).guide
    assert guide.strong == (
        "Looks before it leaps.",
        "Says what `grad` is.\n\nIn two paragraphs.",
    )
    assert guide.questions[0].ask == "May I?"
    assert guide.hints[:2] == (Hint("first", "Look."), Hint("second", "Look here."))
    assert guide.hints_for("second") == [
        "Look here.",
        "Write\n\n    y = x * x\n\n    z = y\n\nand look again.",
    ]
    assert guide.hints_for("third") == []
    assert [follow_up.answer for follow_up in guide.follow_ups] == ["To see it broken."]
    assert guide.debrief == ("What now?", "What next?")
    assert guide.twists[0] == Twist("faster", "Make it faster.", 7.5)
    assert [twist.name for twist in guide.twists] == ["faster", "safer"]


def test_an_exercise_may_have_no_twists(tmp_path: Path) -> None:
    assert exercise(tmp_path, TEXT[: TEXT.index("twists:")]).guide.twists == ()


def test_a_guide_is_read_only_when_it_is_asked_for(tmp_path: Path) -> None:
    broken = exercise(tmp_path, TEXT.replace("answer: To see it broken.", "answer: 3"))
    assert broken.minutes == 40
    with pytest.raises(FixtureError):
        _ = broken.guide


def test_an_exercise_from_no_file_has_no_guide() -> None:
    with pytest.raises(ProjectError, match="no guide"):
        _ = Exercise("made_up", "Made up", 55, {}).guide


def line_of(text: str) -> int:
    return TEXT[: TEXT.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "place", "word"),
    [
        ("strong:", "questions_too:", "strong:", "unknown key 'questions_too'"),
        (TEXT[TEXT.index("debrief") : TEXT.index("twists")], "", "title", "no 'debrief'"),
        (TEXT[TEXT.index("\n  - What now?") : TEXT.index("\ntwists")], "", "debrief", "list"),
        ("  - What now?\n  - What next?", "  what: now", "debrief", "list of at least one"),
        ("- What now?", "- {what: now}", "- What now?", "in words"),
        ("- What now?", "- ''", "debrief", "debrief must be said in words"),
        ("- What now?", "- 7", "debrief", "not 7"),
        ("answer: To see it broken.", "answer: [to, see]", "answer: To see", "answer must be said"),
        ("answer: To see it broken.", "answer: ' '", "answer: To see", "answer must be said"),
        ("answer: To see it broken.", "reply: it", "answer: To see", "unknown key 'reply'"),
        ("    answer: To see it broken.\n", "", "- ask: |", "there is no 'answer'"),
        ("- ask: May I?", "- ask: May I?\n    to: x", "    answer: |\n", "unknown key 'to'"),
        ("stage: first", "stage: third", "- stage: first", "no stage 'third'; there is first, sec"),
        ("stage: first", "stage: [first]", "- stage: first", "stage must be said in words"),
        ("hint: Look.", "hunt: Look.", "hint: Look.", "unknown key 'hunt'"),
        ("- stage: first\n    hint: Look.", "- look", "hints:", "a mapping with stage and hint"),
        ("time: 7.5", "time: 0", "time: 7.5", "time must be minutes above 0, not 0"),
        ("time: 7.5", "time: true", "time: 7.5", "not True"),
        ("time: 7.5", "time: soon", "time: 7.5", "not 'soon'"),
        ("    time: 7.5\n", "", "faster:", "there is no 'time'"),
        ("statement: Make it faster.", "statement:", "statement: Make", "statement must be said"),
        (
            "  faster:",
            "  Faster Still:",
            "faster:",
            "the name 'Faster Still' must be small letters",
        ),
        ("  faster:", "  first:", "faster:", "first is a stage already"),
        (TEXT[TEXT.index("\n  faster:") :], " [faster, safer]\n", "twists:", "a mapping"),
        (TEXT[TEXT.index("\n    time: 7.5") : TEXT.index("\n  safer")], " x", "faster:", "mapping"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(
    tmp_path: Path, old: str, new: str, place: str, word: str
) -> None:
    assert TEXT.count(old) == 1
    file = written_exercise(tmp_path, TEXT.replace(old, new))
    with pytest.raises(FixtureError) as caught:
        _ = read_exercise("small", tmp_path).guide
    said = str(caught.value)
    assert said.startswith(f"{file}:{line_of(place)}: ")
    assert word in said
    assert said.isprintable()


# --- the guides of the project -------------------------------------------------------------------


@pytest.fixture(params=SHIPPED)
def shipped(request: pytest.FixtureRequest) -> Exercise:
    return read_exercise(request.param)


def texts(guide: Guide) -> list[str]:
    asked = [*guide.questions, *guide.follow_ups]
    return [
        *guide.strong,
        *(question.ask for question in asked),
        *(question.answer for question in asked),
        *(hint.hint for hint in guide.hints),
        *(twist.statement for twist in guide.twists),
        *guide.debrief,
    ]


def test_there_is_a_guide_to_each_exercise() -> None:
    assert SHIPPED == ["tensor", "tiny"]


def test_the_debrief_has_seven_questions(shipped: Exercise) -> None:
    debrief = shipped.guide.debrief
    assert len(set(debrief)) == 7
    assert all("?" in text for text in debrief)


def test_every_stage_has_hints_that_come_in_the_order_of_the_stages(shipped: Exercise) -> None:
    stages = [hint.stage for hint in shipped.guide.hints]
    assert set(stages) == set(shipped.stages)
    assert stages == sorted(stages, key=shipped.order.index)
    assert all(len(set(shipped.guide.hints_for(stage))) >= 2 for stage in shipped.stages)


@pytest.mark.parametrize("part", ["questions", "follow_ups"])
def test_every_question_is_one_and_has_an_answer(shipped: Exercise, part: str) -> None:
    questions: tuple[Question, ...] = getattr(shipped.guide, part)
    assert len({question.ask for question in questions}) == len(questions) >= 4
    assert all(question.ask.endswith("?") for question in questions)


def test_every_follow_up_has_a_model_answer_in_whole_sentences(shipped: Exercise) -> None:
    for question in shipped.guide.follow_ups:
        assert len(question.answer.split()) >= 40, question.ask
        assert question.answer.endswith("."), question.ask


def test_every_twist_is_stated_and_leaves_time_for_the_rest(shipped: Exercise) -> None:
    for twist in shipped.guide.twists:
        assert len(twist.statement.split()) >= 20, twist.name
        assert twist.minutes < shipped.minutes / 2, twist.name


def test_every_twist_that_has_cases_is_stated(shipped: Exercise) -> None:
    folders = (FIXTURES / shipped.name / "twists").glob("*/")
    stated = {twist.name for twist in shipped.guide.twists}
    assert {folder.name for folder in folders if folder.is_dir()} <= stated


def test_the_tensor_exercise_has_four_twists() -> None:
    names = {twist.name for twist in read_exercise("tensor").guide.twists}
    assert names == {"no_grad", "softmax_cross_entropy", "upstream", "sub_and_mean"}


def test_any_terminal_can_show_a_guide(shipped: Exercise) -> None:
    """80 columns of ASCII: lines of code are not broken, and stand 8 columns in."""
    for text in texts(shipped.guide):
        assert text.isascii(), text
        assert text.count("`") % 2 == 0, text
        for block in blocks(text):
            if isinstance(block, Code):
                assert max(map(len, block.text.splitlines())) <= 72, text


def test_the_weights_of_a_session_with_a_new_requirement_add_up_to_100(shipped: Exercise) -> None:
    assert sum(stage.weight for stage in shipped.stages.values()) + shipped.new_requirement == 100


@pytest.mark.parametrize(
    ("name", "budget", "needs"), [("tiny", 20, ()), ("tensor", 60, ("torch",))]
)
def test_what_grading_a_hand_in_may_cost(name: str, budget: float, needs: tuple[str, ...]) -> None:
    shipped = read_exercise(name)
    assert (shipped.budget, shipped.needs) == (budget, needs)
    assert shipped.memory >= 1024
