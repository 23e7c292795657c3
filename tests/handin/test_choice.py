"""An allow-list of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.handin.choice import ELSEWHERE, choose, problem

NAMES = st.text("ab./\\ é\n\0:", max_size=12) | st.sampled_from(
    ["candidate", "tests", "tiny.py", ".git", "..", "conftest.py", "x" * 300, "C:"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


def taken(*names: str) -> list[str]:
    return sorted(choose(names, [""] * len(names)).taken)


def why_not(name: str, *others: str) -> str:
    names = [*others, name]
    return dict(choose(names, [""] * len(names)).left_out)[name]


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["candidate/tiny.py", "tests/test_a.py"], ["candidate/tiny.py", "tests/test_a.py"]),
        (["tiny.py"], ["tiny.py"]),
        (["tiny.py", "rules.py", "tests/test_a.py"], ["rules.py", "tests/test_a.py", "tiny.py"]),
        (["kim/candidate/tiny.py"], ["candidate/tiny.py"]),
        (["a/b/c/candidate/tiny.py", "a/b/c/tests/t.py"], ["candidate/tiny.py", "tests/t.py"]),
        (["kim/tiny.py"], ["tiny.py"]),
        (["./kim//tiny.py"], ["tiny.py"]),
        (["kim\\candidate\\tiny.py"], ["candidate/tiny.py"]),
        (["notes.txt", "kim/candidate/tiny.py"], ["candidate/tiny.py"]),
        (["__MACOSX/kim/._tiny.py", "kim/tiny.py"], ["tiny.py"]),
        (["candidate/tiny.py", "tiny.py"], ["candidate/tiny.py"]),
        (["candidate/parts/rules.py"], ["candidate/parts/rules.py"]),
        (["tests/data.json", "tiny.py"], ["tests/data.json", "tiny.py"]),
        (["a/tiny.py", "b/tiny.py"], []),
        (["kim/readme.md"], []),
    ],
)
def test_what_is_taken(names: list[str], wanted: list[str]) -> None:
    assert taken(*names) == wanted


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("conftest.py", "not needed"),
        ("setup.py", "not needed"),
        ("pytest.ini", ELSEWHERE),
        ("pyproject.toml", ELSEWHERE),
        ("src/tiny.py", ELSEWHERE),
        (".git/hooks/pre-commit", "hidden"),
        ("candidate/.env", "hidden"),
        ("candidate/__pycache__/tiny.cpython-311.pyc", "made by a program"),
        ("candidate/evil.dist-info/entry_points.txt", "made by a program"),
        ("candidate/fast.so", "compiled"),
        ("candidate/site.pth", "compiled"),
        ("candidate/FAST.PYD", "compiled"),
        ("/etc/cron.d/x.py", "outside the hand-in"),
        ("\\windows\\x.py", "outside the hand-in"),
        ("C:\\x.py", "outside the hand-in"),
        ("candidate/../../x.py", "outside the hand-in"),
        ("candidate\\..\\x.py", "outside the hand-in"),
        ("candidate/a\nb.py", "an impossible name"),
        ("candidate/a\x1b[2J.py", "an impossible name"),
        ("candidate/a.py\0.txt", "an impossible name"),
        ("", "an impossible name"),
        ("candidate/" + "x" * 256, "too long a name"),
        ("candidate/" + "x/" * 600 + "x.py", "too deep"),
        ("candidate/" + "x/" * 20 + "x.py", "too deep"),
        ("candidate", ELSEWHERE),
    ],
)
def test_what_is_left_out_and_why(name: str, why: str) -> None:
    assert why_not(name, "tiny.py") == why


@pytest.mark.parametrize(
    "second", ["candidate/tiny.py", "candidate/TINY.py", "./candidate/tiny.py"]
)
def test_of_two_with_one_name_the_first_is_taken(second: str) -> None:
    choice = choose(["candidate/tiny.py", second], ["", ""])
    assert choice.taken == {"candidate/tiny.py": 0}
    assert choice.left_out == [(second, "a second file of this name")]


def test_a_name_is_a_file_or_a_folder() -> None:
    assert why_not("candidate/a", "candidate/a/b.py") == "a folder has this name too"


def test_what_is_refused_for_what_it_is_keeps_its_reason() -> None:
    assert choose(["candidate/x.py", "tiny.py"], ["a link", ""]).left_out == [
        ("candidate/x.py", "a link")
    ]


@given(st.lists(PATHS, max_size=6))
def test_every_name_is_taken_or_left_out_and_what_is_taken_stays_inside(names: list[str]) -> None:
    choice = choose(names, [""] * len(names))
    assert len(choice.taken) + len(choice.left_out) == len(names)
    for path in choice.taken:
        assert path.isprintable()
        assert problem(path) == ""
        parts = path.split("/")
        assert parts[0] in ("candidate", "tests") or (len(parts) == 1 and path.endswith(".py"))
    assert len({path.casefold() for path in choice.taken}) == len(choice.taken)
