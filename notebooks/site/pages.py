"""Pages, and the files beside them: what all parts of the builder share."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from minitape.disk import write_whole
from minitape.sentences import Catalogue

from .prose import Heading

TEXTS = Catalogue(Path(__file__).parent / "messages")
DATA = "data"
LAB, WHY = "lab", "why"  # a folder and a page of their own (lab.py, why_page.py)
LIST = "files.json"


class Link(NamedTuple):
    """Where a page leads: an address as seen from it, and what is read there."""

    to: str
    text: str


@dataclass
class Page:
    """One page: where it stands in the site, what stands in it and around it.

    `path` is its file, seen from the root of the site; `contents` its headings, `shown` the data of
    what it shows in places, `picture` what a preview shows, `notebook` the one it was made from (""
    for others).
    """

    path: str
    language: str
    title: str
    description: str = ""
    body: str = ""
    contents: list[Heading] = field(default_factory=list)
    shown: list[Any] = field(default_factory=list)
    picture: str = "images/player.png"
    notebook: str = ""
    kind: str = "lesson"
    lab: str = ""  # where its notebook runs
    before: Page | None = None
    after: Page | None = None
    name: str = ""  # in links to it, where the title says more

    def to(self, path: str) -> str:
        """Returns the address of a file of the site as seen from this page."""
        return posixpath.relpath(path, posixpath.dirname(self.path) or ".")

    def link(self, page: Page) -> Link:
        """Returns the link from here to another page."""
        return Link(self.to(page.path), page.name or page.title)

    def say(self, key: str, **params: object) -> str:
        """Returns a sentence in the language of the page."""
        return TEXTS.say(key, params, self.language)


def path_of(name: str, language: str, suffix: str = ".html") -> str:
    """Returns where a file of a language stands: English at the root, another in its folder."""
    return f"{'' if language == 'en' else language + '/'}{name}{suffix}"


class Files(dict[str, bytes]):
    """The files of the site by their paths."""

    def data(self, text: str, suffix: str) -> str:
        """Puts data beside the pages, once, and returns its path."""
        content = text.encode("utf-8", "replace")
        path = f"{DATA}/{hashlib.sha256(content).hexdigest()[:16]}{suffix}"
        self[path] = content
        return path

    def write(self, folder: Path) -> None:
        """Writes all files and a list of them; what only the list before names goes."""
        listed = folder / LIST
        before = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else []
        self[LIST] = json.dumps(sorted({*self, LIST}), indent=0).encode()
        for path, content in self.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != content:
                write_whole(target, content)
        for path in set(before) - set(self):
            (folder / path).unlink(missing_ok=True)


def short(text: str, most: int = 200) -> str:
    """Returns a text of at most so many letters, ended at a word."""
    return text if len(text) <= most else re.sub(r"\W*\s\S*$", "", text[:most]) + " …"
