"""What stands around the body of each page: head, links, contents."""

from __future__ import annotations

import posixpath
from pathlib import Path

import jinja2

from minitape.sentences import LANGUAGES, NAMES

from .pages import WHY, Page, path_of

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


def framed(page: Page, pages: dict[str, Page], base: str = "", why: bool = False) -> str:
    """Returns the whole text of a page. `pages`: all of the site, by their paths; `base`: the
    address of the site, "" where nobody knows it; `why`: whether `why.html` stands there.
    """
    plain = page.path if page.language == "en" else posixpath.relpath(page.path, page.language)
    others = {
        language: page.to(path_of(plain.removesuffix(".html"), language))
        for language in LANGUAGES
        if path_of(plain.removesuffix(".html"), language) in pages
    }
    ways = [
        [path_of(name, language) for language in (page.language, "en")]
        for name in ("pitfalls", "glossary")
    ]
    there = [next((path for path in way if path in pages), "") for way in ways]
    doors = [page.link(pages[path]) for path in there if path]

    def address(path: str) -> str:
        """The whole address where one is known, else the way from this page."""
        return f"{base.rstrip('/')}/{path}" if base else page.to(path)

    return TEMPLATES.get_template("page.html").render(
        page=page,
        say=page.say,
        others=others,
        names=NAMES,
        doors=doors,
        home=page.to(path_of("index", page.language)),
        search=page.to(path_of("search", page.language)),
        static=page.to("static"),
        index=page.to(path_of("search", page.language, ".json")),
        root=page.to("."),
        address=address,
        plain=plain,
        path_of=path_of,
        based=bool(base),
        why=page.to(path_of(WHY, page.language)) if why else "",
    )
