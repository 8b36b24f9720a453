"""Markdown and code as HTML. What a notebook writes in HTML is text, but for the elements that fold
a paragraph away.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import mistune
from pygments import highlight  # type: ignore[import-untyped]  # nbconvert's own
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

MAY_STAND = re.compile(r"</?(?:details|summary|br|sub|sup)>")
TAG = re.compile(r"<[^>]*>")
# kinds of words without a colour of their own (static/text.css): half of the marks of a program
PLAIN = re.compile(r'<span class="(?:n|nn|nb|bp|o|p|w|fm|vm|err|)">([^<]*)</span>')


class Heading(NamedTuple):
    """A heading of a page: its level, its place, its text."""

    level: int
    anchor: str
    text: str


class Prose(mistune.HTMLRenderer):
    """Renders the Markdown of one page, cell by cell. `headings` are those so far; `linked` makes
    the address on this site of what a notebook links to, "" where that is nowhere.
    """

    def __init__(self, linked: Callable[[str], str]) -> None:
        super().__init__()
        self.linked = linked
        self.headings: list[Heading] = []
        self.markdown = mistune.create_markdown(renderer=self, plugins=["table", "strikethrough"])

    def html_of(self, text: str) -> str:
        """Returns the HTML of a cell of prose."""
        return str(self.markdown(text))

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """An address of its own for each heading: its words, as Jupyter does it."""
        plain = plain_of(text)
        anchor = wanted = re.sub(r"\s+", "-", plain)
        count = 1
        while anchor in {one.anchor for one in self.headings}:
            count += 1
            anchor = f"{wanted}-{count}"
        self.headings.append(Heading(level, anchor, plain))
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link to a notebook leads to its page; one that leads nowhere is text."""
        there = self.linked(url)
        return super().link(text, there, title) if there else text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Pictures come when one scrolls to them."""
        shown = super().image(text, self.linked(url), title)
        return shown.replace("<img ", '<img loading="lazy" ', 1)

    def block_code(self, code: str, info: str | None = None) -> str:
        """Programs are coloured, other texts are not."""
        inner = coloured(code) if not info or info.startswith("py") else html.escape(code)
        return program(inner)

    def inline_html(self, text: str) -> str:
        """What folds may stand; the rest is shown as it was written."""
        return folding(text)

    def block_html(self, text: str) -> str:
        """What folds may stand; the rest is shown as it was written."""
        return folding(text)


def folding(written: str) -> str:
    """Returns written HTML with all of it escaped but the tags that may stand."""
    tags, others = MAY_STAND.findall(written), MAY_STAND.split(written)
    return "".join(html.escape(text) + tag for text, tag in zip(others, [*tags, ""], strict=True))


def plain_of(rendered: str) -> str:
    """Returns the text of a piece of HTML."""
    return html.unescape(TAG.sub("", rendered)).strip()


def coloured(code: str) -> str:
    """Returns a program as HTML with its words marked by their kind."""
    marked = str(highlight(code, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)))
    return PLAIN.sub(r"\1", marked).rstrip()


def program(inner: str) -> str:
    """Returns a program's place; a long line is scrolled, also by keys."""
    return f'<pre class="code" tabindex="0"><code>{inner}</code></pre>\n'


def first_paragraph(text: str) -> str:
    """Returns the first paragraph of Markdown that is neither a heading nor set apart, as plain
    text; "" where there is none.
    """
    for block in re.split(r"\n\s*\n", text):
        if re.match(r"\s*[\w`\"'«(]", block):
            return " ".join(plain_of(str(mistune.html(block))).split())
    return ""
