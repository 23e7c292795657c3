"""Fixture files are YAML, but every scalar means what JSON would say it means."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from grader.kit import strict_yaml
from grader.kit.strict_yaml import FixtureError, parse, read
from tests.kit.values import json_values

FILE = Path("some.yaml")
LOADERS = [
    pytest.param(loader, id=name)
    for name in ("CSafeLoader", "SafeLoader")
    if (loader := getattr(yaml, name, None))
]


@pytest.fixture(params=LOADERS, scope="module", autouse=True)
def _loader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Everything holds with libyaml and without it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_yaml, "_Loader", request.param)
        yield


def error(text: str) -> str:
    """The error, as one line that begins with the file and the line."""
    with pytest.raises(FixtureError) as caught:
        parse(text, FILE)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# --- scalars -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0", 0),
        ("-7", -7),
        ("1.50", 1.5),
        ("1e-5", 1e-5),
        ("1E+5", 100000.0),
        ("-2e3", -2000.0),
        ("-0.0", -0.0),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
    ],
)
def test_numbers_and_the_three_words_are_those_of_json(written: str, meant: object) -> None:
    assert repr(parse(f"a: {written}", FILE).data) == repr({"a": meant})


@pytest.mark.parametrize(
    "word",
    ["on", "off", "yes", "no", "Yes", "NO", "y", "True", "FALSE", "Null", "~", "<<", "=", "e5"],
)
def test_what_plain_yaml_guesses_at_is_a_word(word: str) -> None:
    assert parse(f"a: {word}", FILE).data == {"a": word}


@pytest.mark.parametrize(
    "written",
    [
        *("010", "0x10", "0o7", "0b1", ".5", "1.", "+1", "-01", "1_000", "1,000", "1e", "1.e5"),
        *(".inf", "-.inf", "+.INF", ".nan", ".NaN", "12:30:45", "2001-01-01", "1abc", "٣"),
    ],
)
def test_what_merely_looks_like_a_number_is_an_error_with_its_line(written: str) -> None:
    said = f"some.yaml:2: {written} is no number as JSON writes it; correct or quote it"
    assert error(f"a: 1\nb: {written}\n") == said


@pytest.mark.parametrize("written", ["1e400", "-1e400", "9" * 5_000], ids=lambda text: text[:6])
def test_a_number_too_large_for_a_number_is_an_error_with_its_line(written: str) -> None:
    said = error(f"a: 1\nb: [2,\n  {written}]\n")
    assert said.startswith("some.yaml:3: ")
    assert said.endswith("is too large for a number")


@pytest.mark.parametrize("word", ["1e-5", "010", "on", "true", "null", ".nan", "", "+1"])
@pytest.mark.parametrize("quoted", ["'{}'", '"{}"', "|-\n  {}\n", ">-\n  {}\n"])
def test_what_is_quoted_is_text(word: str, quoted: str) -> None:
    assert parse("a: " + quoted.format(word), FILE).data == {"a": word}


@given(json_values())
@settings(deadline=None, max_examples=100)
def test_whatever_json_writes_is_read_as_json_reads_it(value: Any) -> None:
    assert repr(parse(json.dumps(value), FILE).data) == repr(value)


# --- keys, tags, aliases -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "a"),
        ("- x: 1\n- y:\n    deep: 1\n    deep: 1\n", 4, "deep"),
        ("a: {b: 1,\n  b: 2}\n", 2, "b"),
        ("'a': 1\na: 2\n", 2, "a"),
    ],
)
def test_a_key_given_twice_is_an_error_with_its_line(text: str, line: int, key: str) -> None:
    assert error(text) == f"some.yaml:{line}: the key {key!r} is given twice"


@pytest.mark.parametrize(
    ("written", "key"),
    [("1", 1), ("true", True), ("null", None), ("1.5", 1.5), ("? [x]\n", ["x"])],
)
def test_a_key_that_is_no_word_is_an_error_with_its_line(written: str, key: object) -> None:
    assert (
        error(f"a: 1\n{written}: 2\n") == f"some.yaml:2: the key {key!r} must be a word; quote it"
    )


def test_a_key_may_be_quoted_and_may_be_a_word_that_yaml_guesses_at() -> None:
    assert parse("'1': a\non: b\n", FILE).data == {"1": "a", "on": "b"}


def test_a_merge_key_is_a_key_like_any_other() -> None:
    assert parse("<<: {a: 1}", FILE).data == {"<<": {"a": 1}}


def test_tags_of_python_run_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = f"a: !!python/object/apply:os.mkdir ['{mark}']\nb: !!python/object:os.system {{}}\n"
    assert parse(text, FILE).data == {"a": [str(mark)], "b": {}}
    assert not mark.exists()


def test_a_tag_on_a_plain_word_is_an_error_with_its_line() -> None:
    assert error("a: 1\nb: !mine x\n") == "some.yaml:2: the tag !mine has no meaning here"


def test_an_alias_stands_for_what_it_names() -> None:
    assert parse("a: &it [1, 2]\nb: *it\n", FILE).data == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize(
    "text",
    ["&a [*a]", "a: &a {b: *a}", "- &a [x, [y, *a]]", "[" * 5_000 + "]" * 5_000],
    ids=["list", "mapping", "deeper", "brackets"],
)
def test_what_has_no_end_is_an_error_and_not_a_crash(text: str) -> None:
    said = error(text)
    assert said.startswith("some.yaml:1: ")
    assert "nest" in said


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a: 1\nb:\n\tc: 1\n", (3,)),
        ("a: 1\nb: [1, 2\n", (2, 3)),  # libyaml points at the end, the other at the bracket
        ("a: 1\nb: {c: 1\n", (2, 3)),
        ("a: 1\nb: 'x\n", (2, 3)),
        ("a: 1\nb: *nowhere\n", (2,)),
        ("a: 1\nb: c: d\n", (2,)),
        ("- a\nb: 1\n", (2,)),
        ("--- 1\n--- 2\n", (2,)),
        ("a: 1\nb: x\x07\n", (2,)),
        ("a: üüüüü\nb: x\x07\nc: 1\nd: 1\n", (2,)),
    ],
    ids=["tab", "bracket", "brace", "quote", "alias", "colons", "mixed", "documents", "bell", "ü"],
)
def test_what_is_no_yaml_is_an_error_with_its_line(text: str, lines: tuple[int, ...]) -> None:
    said = error(text)
    assert said.startswith(tuple(f"some.yaml:{line}: is not valid YAML: " for line in lines))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a comment\n", "---\n"])
def test_an_empty_file_holds_nothing(text: str) -> None:
    assert parse(text, FILE).data is None


@pytest.mark.parametrize(
    "content",
    [b"a: 1\nb: \xc3\xbc\n", b"\xef\xbb\xbfa: 1\nb: \xc3\xbc\n", b"a: 1\r\nb: \xc3\xbc\r\n"],
    ids=["plain", "byte order mark", "carriage returns"],
)
def test_a_file_may_have_a_byte_order_mark_and_carriage_returns(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(content)
    document = read(file)
    assert document.data == {"a": 1, "b": "ü"}
    assert document.lines["b",] == 2


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_what_is_no_utf8_is_an_error_with_the_line_of_the_byte(
    start: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(start + b"a: 1\nb: 2\nc: caf\xe9\n")
    with pytest.raises(FixtureError) as caught:
        read(file)
    assert str(caught.value) == f"{file}:3: is not UTF-8 text; save the file as UTF-8"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FixtureError) as caught:
        read(tmp_path / "nowhere.yaml")
    said = f"{tmp_path / 'nowhere.yaml'}:1: cannot be read: No such file or directory"
    assert str(caught.value) == said


# --- lines ---------------------------------------------------------------------------------------

NESTED = """\
# a comment
- case: a
  inputs:
    x: [[1,
         2]]
- case: b
  steps:
    - [y, sum, x]
"""


def test_every_entry_and_every_item_knows_its_line() -> None:
    assert parse(NESTED, FILE).lines == {
        (): 2,
        (0,): 2,
        (0, "case"): 2,
        (0, "inputs"): 3,
        (0, "inputs", "x"): 4,
        (0, "inputs", "x", 0): 4,
        (1,): 6,
        (1, "case"): 6,
        (1, "steps"): 7,
        (1, "steps", 0): 8,
    }


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ((1, "steps", 0), 8),
        ((1, "steps", 0, 2), 8),
        ((1, "steps", 5, "deep"), 7),
        ((0, "missing"), 2),
        ((9,), 2),
    ],
)
def test_an_error_is_on_the_innermost_line_that_is_known(where: Any, line: int) -> None:
    assert str(parse(NESTED, FILE).error(where, "is odd")) == f"some.yaml:{line}: is odd"
