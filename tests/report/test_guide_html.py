"""A guide as a page: whole, harmless, and with nothing to fetch."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grader.project import Exercise, read_exercise
from grader.report.guide_html import is_page, page
from grader.report.template import MARK_WITHIN
from tests.guides import TEXT, exercise

VOID = {"meta", "link", "img", "br", "hr", "input", "base", "source"}
HOSTILE = "</details><script>alert(1)</script><b onclick='x'>&amp; {{ 7 * 7 }}"


class Reader(HTMLParser):
    """Raises AssertionError where tags do not match. `folded` is the text within details."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.folded = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data
        if "details" in self.open and "summary" not in self.open:
            self.folded += data

    def names(self) -> list[str]:
        return [tag for tag, _ in self.tags]


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(params=["small", "tiny", "tensor"])
def guided(request: pytest.FixtureRequest, tmp_path: Path) -> Exercise:
    return exercise(tmp_path) if request.param == "small" else read_exercise(request.param)


def test_it_is_one_page_whose_tags_match(guided: Exercise) -> None:
    html = page(guided)
    assert html.startswith("<!doctype html>\n")
    assert html.endswith("</html>\n")
    names = read(html).names()
    for once in ("html", "head", "title", "style", "body", "main", "h1", "header", "footer"):
        assert names.count(once) == 1, once


def test_it_loads_nothing_and_runs_nothing(guided: Exercise) -> None:
    html = page(guided)
    assert set(read(html).names()).isdisjoint(
        {"script", "link", "img", "iframe", "object", "embed", "video", "audio", "form", "base"}
    )
    for tag, attributes in read(html).tags:
        assert "src" not in attributes, tag
        assert (attributes.get("href") or "#").startswith("#"), attributes
        assert not any(name.startswith("on") for name in attributes), attributes
    assert "url(" not in html
    assert "@import" not in html
    assert "http" not in html


def test_every_link_leads_to_a_part_that_is_there(guided: Exercise) -> None:
    tags = read(page(guided)).tags
    parts = [attributes["id"] for _, attributes in tags if "id" in attributes]
    links = [attributes["href"] for tag, attributes in tags if tag == "a"]
    assert links == [f"#{part}" for part in parts]


def test_it_is_ascii_whatever_is_in_it(tmp_path: Path) -> None:
    html = page(exercise(tmp_path, TEXT.replace("What now?", "\N{GREEK SMALL LETTER PI} now?")))
    assert html.isascii()
    assert "\N{GREEK SMALL LETTER PI} now?" in read(html).text


def words_of(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def test_everything_of_the_guide_is_on_it(guided: Exercise) -> None:
    shown, guide = words_of(read(page(guided)).text), guided.guide
    for question in (*guide.questions, *guide.follow_ups):
        assert words_of(question.ask) in shown
        assert words_of(question.answer) in shown
    for text in (*guide.strong, *guide.debrief, *(hint.hint for hint in guide.hints)):
        assert words_of(text) in shown
    for twist in guide.twists:
        assert f"{twist.name} leave {twist.minutes:g} minutes for it" in shown
        assert words_of(twist.statement) in shown
    for stage in guided.stages.values():
        assert words_of(f"{stage.name}{stage.weight:g}{stage.about}") in shown


def test_hints_and_model_answers_are_folded_away_and_nothing_else_is(guided: Exercise) -> None:
    reader, guide = read(page(guided)), guided.guide
    folded = words_of(reader.folded)
    assert reader.names().count("details") == len(guide.hints) + len(guide.follow_ups)
    hints = [hint for stage in guided.stages for hint in guide.hints_for(stage)]
    expected = [*hints, *(question.answer for question in guide.follow_ups)]
    assert folded == " ".join(map(words_of, expected))
    assert not any("open" in attributes for _, attributes in reader.tags)


def test_on_paper_nothing_is_folded() -> None:
    html = page(read_exercise("tiny"))
    on_paper = html[html.index("@media print") :]
    assert "details::details-content { content-visibility: visible" in on_paper


def test_light_and_dark_have_the_same_colours_to_set() -> None:
    html = page(read_exercise("tiny"))
    light, dark, paper = (set(re.findall(r"--\w+(?=:)", part)) for part in roots(html))
    assert light == dark == paper


def roots(html: str) -> list[str]:
    return re.findall(r":root \{(.*?)\}", html, re.DOTALL)


def test_a_guide_without_twists_does_not_speak_of_them(tmp_path: Path) -> None:
    html = page(exercise(tmp_path, TEXT[: TEXT.index("twists:")]))
    assert "requirement" not in read(html).text
    assert "#twists" not in html


@pytest.mark.parametrize(
    "place",
    ["Small", "add", "Looks before", "May I?", "Look here.", "To see", "What now?", "Make it fast"],
)
def test_what_a_text_has_of_html_is_shown_and_not_obeyed(tmp_path: Path, place: str) -> None:
    quoted = HOSTILE.replace("'", "''")
    lines = [
        re.sub(rf"(\w+: \[?|- ){re.escape(place)}[^],]*", rf"\g<1>'{quoted}'", line)
        for line in TEXT.splitlines()
    ]
    html = page(exercise(tmp_path, "\n".join(lines)))
    assert "<script" not in html
    assert " ".join(HOSTILE.split()) in words_of(read(html).text)


def test_a_page_is_known_by_its_start(guided: Exercise) -> None:
    html = page(guided).encode()
    assert is_page(html)
    assert is_page(html[:MARK_WITHIN])


@pytest.mark.parametrize("start", [b"", b"<!doctype html>\n<html>", b"notes", b"\xff\x00"])
def test_another_file_is_no_page_of_ours(start: bytes) -> None:
    assert not is_page(start)
    assert not is_page(start + b" " * MARK_WITHIN + page(read_exercise("tiny")).encode())
