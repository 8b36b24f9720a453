"""What a cell has shown, as a piece of a page: the place of a player, a picture, a text.

Traces and pictures are files beside the pages, which a browser fetches when somebody scrolls to
them. Whatever a notebook holds may come from anybody: text is escaped, HTML is let through tag by
tag, a picture is an image, in which no script runs.
"""

from __future__ import annotations

import html
import re
from typing import Any

from nbconvert.filters import strip_ansi
from nbformat import NotebookNode

from minitape_widgets import drawn, module, outputs, packing
from minitape_widgets.export import CARD, HEALTH, TRACE, card, cleaned, said

from .pages import Files, Page
from .prose import Prose

# the class of the place of each kind of data (widgets/minitape_widgets/page.py)
KINDS = {TRACE: "minitape-trace", CARD: "minitape-trace", HEALTH: "minitape-health"}
LARGE = 20_000  # letters of data that travel packed, whatever the server does
TAGS = {*drawn.TAGS, "span", "strong", "em", "br", "h3", "h4", "thead"}
UNSAFE = re.compile(r"url|position|image|@|\\|/\*|<", re.IGNORECASE)
SIZE = re.compile(r'<svg[^>]*? width="(\d+)" height="(\d+)"')
ABOUT = re.compile(r"<desc[^>]*>(.*?)</desc>", re.DOTALL)


class Shown:
    """Shows outputs on one page."""

    def __init__(self, page: Page, files: Files, prose: Prose) -> None:
        self.page, self.files, self.prose = page, files, prose

    def all_of(self, cell: NotebookNode) -> str:
        """Returns everything that a cell has shown."""
        return "".join(filter(None, map(self.one, filter(None, map(outputs.mended, cell.outputs)))))

    def one(self, output: Any) -> str:
        """Returns one output."""
        if output.output_type == "error":
            return text_of("\n".join(output.traceback), "error")
        if output.output_type == "stream":
            return text_of(output.text, output.name)
        data = output.data
        for kind in KINDS:
            if kind in data:
                return self.place(data, kind)
        if "text/html" in data:
            return f'<div class="output rich">{safe(data["text/html"])}</div>'
        if "image/svg+xml" in data:
            return f'<div class="output">{self.picture(data["image/svg+xml"])}</div>'
        if "text/markdown" in data:
            return self.prose.html_of(data["text/markdown"])
        return text_of(data.get("text/plain", ""), "stdout")

    def place(self, data: dict[str, Any], kind: str) -> str:
        """Returns the place of a player: where its data lie, and what stands there until then."""
        self.page.shown.append(data[kind])
        text = module.literal(data[kind])
        if len(text) > LARGE:
            text = module.literal(packing.deflated(packing.unpack(data[kind])))
        there = self.page.to(self.files.data(text, ".json"))
        still = (
            card(data["text/html"])
            if kind == CARD
            else self.picture(data["image/svg+xml"])
            if "image/svg+xml" in data
            else text_of(data.get("text/plain", ""), "stdout")
        )
        return (
            f'<div class="output"><div class="{KINDS[kind]}" id="tape-{len(self.page.shown)}" '
            f'data-from="{html.escape(there)}">'
            f'<div class="minitape-still">{still}</div></div></div>'
        )

    def picture(self, svg: str) -> str:
        """Returns a drawing as an image that comes when one scrolls to it."""
        size, about = SIZE.match(svg), ABOUT.search(svg)
        room = f' width="{size[1]}" height="{size[2]}"' if size else ""
        told = html.unescape(about[1]) if about else said("ui.still", self.page.language)
        source = self.page.to(self.files.data(svg, ".svg"))
        return f'<img loading="lazy" src="{source}" alt="{html.escape(told)}"{room}>'


def text_of(text: str, kind: str) -> str:
    """Returns printed text, or that of an error."""
    plain = html.escape(strip_ansi(text.rstrip()))
    return f'<pre class="output {html.escape(kind)}" tabindex="0">{plain}</pre>' if plain else ""


def safe(written: str) -> str:
    """Returns HTML with nothing in it but marked text and what dresses it. A program in it can be
    scrolled by keys.
    """
    clean = cleaned(written, TAGS, lambda style: not UNSAFE.search(style))
    return clean.replace("<pre", '<pre tabindex="0"')
