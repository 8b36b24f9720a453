"""The index of a language: what stands under each heading of each page, as text. A browser reads it
when somebody searches, and needs no server.
"""

from __future__ import annotations

from html.parser import HTMLParser

from minitape_widgets.module import literal

from .pages import Page

# what stands within a line; every other tag parts words
INLINE = {"a", "b", "code", "em", "i", "mark", "span", "strong", "sub", "sup"}
SILENT = {"svg", "script", "textarea", "button", "summary"}


class Parts(HTMLParser):
    """Reads the body of a page; `parts` are [anchor, heading, text] in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[list[str]] = [["", "", ""]]
        self.heads = False
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h1", "h2", "h3"):
            self.heads = True
            if tag != "h1":
                self.parts.append([dict(attrs).get("id") or "", "", ""])
        self.silent += tag in SILENT
        self.part(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "h2", "h3"):
            self.heads = False
        self.silent -= tag in SILENT
        self.part(tag)

    def part(self, tag: str) -> None:
        """Two blocks are two words, whatever stands between them."""
        self.parts[-1][2] += "" if tag in INLINE else " "

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts[-1][1 if self.heads else 2] += data


def index_of(pages: list[Page]) -> str:
    """Returns the index of some pages as JSON: [address, title, [[anchor, heading, text], ...]]."""
    result = []
    for page in pages:
        parts = Parts()
        parts.feed(page.body)
        told = [
            [anchor, heading.strip(), " ".join(text.split())]
            for anchor, heading, text in parts.parts
            if heading.strip() or text.strip()
        ]
        result.append([page.path, page.title, told])
    return literal(result)
