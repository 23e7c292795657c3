"""Filling in templates: pages that open from disk, without network or scripts, and plain text."""

from importlib import resources
from typing import Any

import jinja2

import grader

MARK_WITHIN = 512  # bytes


def page(template: str, mark: bytes, **given: Any) -> str:
    """HTML in ASCII, so that no encoding on its way can spoil it; what is given is escaped.

    `template` is a file beside this one. `mark` stands within the page's first bytes, and in no
    other file's.
    """
    text = (resources.files(__package__) / template).read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    html = environment.from_string(text).render(
        **given, mark=mark.decode(), version=grader.__version__
    )
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def has_mark(mark: bytes, start: bytes) -> bool:
    """Whether a file that begins so is a page with this mark."""
    return mark in start[:MARK_WITHIN]


def plain(text: str, **given: Any) -> str:
    """A template's text, filled in with words of our own only: nothing is escaped."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  (Markdown, TOML)
    )
    return environment.from_string(text).render(**given)
