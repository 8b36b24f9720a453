"""The whole site: which pages there are, in which order, and what stands beside them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from nbformat import NotebookNode

from minitape.exercises.kept import SENTENCES
from minitape_widgets import module, scripts
from minitape_widgets.export import TRACE
from minitape_widgets.packing import unpack

from . import cells, gallery, previews, search
from .around import framed
from .executed import HERE, Notebooks
from .outputs import Shown
from .pages import LAB, TEXTS, Files, Page, path_of, short
from .previews import PLAYERS
from .prose import Prose, first_paragraph

STATIC = Path(__file__).parent / "static"
ICON = Path(__file__).parent / "icon.svg"
SHEETS = "frame.css", "text.css"
INDEX, FIRST, GLOSSARY = "index", "00_start_here", "glossary"
LAST = [*gallery.NAMES, GLOSSARY]
LANGUAGE_LINKS = re.compile(r"^\[English\].*$", re.MULTILINE)  # the head of each page has them


@dataclass
class Site:
    """A site that was made: its pages, and all its files."""

    pages: list[Page] = field(default_factory=list)
    files: Files = field(default_factory=Files)

    def write(self, folder: Path) -> None:
        """Writes the site into a folder."""
        self.files.write(folder)


def site_of(
    notebooks: Notebooks,
    *,
    base: str = "",
    repository: str = "",
    lab: bool = False,
    why: bool = False,
    take: previews.Take | None = None,
) -> Site:
    """Returns the site of some notebooks, which have their outputs.

    `base`: the address at which it will stand, for what other sites show of it; `repository`:
    where links to files lead that are no pages, "" for nowhere; `lab`: whether the notebooks run
    beside it; `why`: whether a pasted program is answered there; `take`: what takes the picture of
    a page.
    """
    site = Site()
    paths = {path_of(name, language) for name, language in notebooks}
    for language in sorted({language for _, language in notebooks}):
        own = {name: nb for (name, other), nb in notebooks.items() if other == language}
        site.pages += pages_of(own, language, paths, site.files, repository, lab)
    if take:
        previews.add(site.pages, site.files, take)
    by_path = {page.path: page for page in site.pages}
    for page in site.pages:
        site.files[page.path] = framed(page, by_path, base, why).encode()
    for language in {page.language for page in site.pages}:
        there = [page for page in site.pages if page.language == language and page.kind != "search"]
        site.files[path_of("search", language, ".json")] = search.index_of(there).encode()
    beside(site)
    if base:
        lines = [f"{base.rstrip('/')}/{page.path}" for page in site.pages]
        site.files["sitemap.txt"] = "\n".join(lines).encode()
    return site


def pages_of(
    own: dict[str, NotebookNode],
    language: str,
    paths: set[str],
    files: Files,
    repository: str,
    lab: bool,
) -> list[Page]:
    """Returns the pages of one language, each with those before and after it. `paths`: those of the
    notebooks in all languages.
    """
    order = sorted(
        own, key=lambda name: (name != INDEX, LAST.index(name) if name in LAST else -1, name)
    )
    pages = {name: Page(path_of(name, language), language, name) for name in order}
    cards: list[Page] = []
    for name, page in pages.items():
        notebook = own[name]
        page.notebook = path_of(name, language, ".ipynb")
        page.kind = name if name in (INDEX, GLOSSARY) else page.kind
        page.lab = lab_of(page) if lab else ""
        prose = Prose(linked(page, paths, repository))
        shown = Shown(page, files, prose)
        if name in gallery.NAMES:
            made = gallery.pages_of(notebook, page, files)
            page.body = gallery.body_of(notebook, page, shown, made)
            in_order(made)
            cards += made
            page.picture = "images/gallery.png"
        elif name == INDEX:
            page.body = index_body(notebook, own.get(FIRST), page, shown)
        else:
            page.body = cells.body_of(notebook, page, shown)
        page.contents = [one for one in prose.headings if one.level == 2]
        page.title = next((one.text for one in prose.headings if one.level == 1), name)
        page.description = short(described(notebook, name, language))
    in_order(list(pages.values()))
    sought = Page(path_of("search", language), language, "", kind="search")
    sought.title, sought.description = sought.say("search"), sought.say("search-how")
    return [*pages.values(), *cards, sought]


def in_order(pages: list[Page]) -> None:
    """Tells each page which one is before it and after it."""
    for page, following in zip(pages, pages[1:]):
        page.after, following.before = following, page


def described(notebook: NotebookNode, name: str, language: str) -> str:
    """Returns what a page is about: the question of a lesson, and its first paragraph."""
    text = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    question = TEXTS.say("about" if name == INDEX else "", language=language)
    question = question or SENTENCES.say(f"lesson.{name}", language=language)
    return f"{question} {first_paragraph(text)}".strip()


def lab_of(page: Page) -> str:
    """Returns the address at which the notebook of a page runs, beside this site: all that the
    pages know of it.
    """
    return f"{page.to(f'{LAB}/lab/index.html')}?{urlencode({'path': page.notebook})}"


def linked(page: Page, paths: set[str], repository: str) -> Callable[[str], str]:
    """Returns what makes addresses on this site of those in a notebook: a notebook is a page, a
    picture stands beside, and other files are in the repository.
    """

    def address(url: str) -> str:
        if re.match(r"[a-z][a-z0-9+.-]*:|#|//", url, re.IGNORECASE):
            return url
        file, mark, anchor = url.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), file))
        target = re.sub(r"\.ipynb$", ".html", there)
        if target in paths or target.startswith("images/"):
            return page.to(target) + mark + anchor
        file = posixpath.normpath(f"notebooks/{there}")
        return f"{repository}/blob/HEAD/{file}{mark}{anchor}" if repository else ""

    return address


def index_body(notebook: NotebookNode, first: NotebookNode | None, page: Page, shown: Shown) -> str:
    """Returns the front page: its doors, the first player of the course, and the map. The rest of
    the index is about progress, which a kernel keeps.
    """
    doors = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    maps = [output for output in outputs if "text/markdown" in output.get("data", {})]
    shows = [*(players_in(first)[:1] if first else []), *maps]
    return shown.prose.html_of(LANGUAGE_LINKS.sub("", doors)) + "".join(map(shown.one, shows))


def players_in(notebook: NotebookNode) -> list[NotebookNode]:
    """Returns the outputs of a notebook in which one tape is played."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    traces = [(output, output.get("data", {}).get(TRACE)) for output in outputs]
    return [output for output, trace in traces if trace and "storyboard" in unpack(trace)]


def beside(site: Site) -> None:
    """Puts what all pages share beside them: style, scripts, the front end, the pictures that are
    used.
    """
    for path in (ICON, *STATIC.iterdir()):
        if path.suffix != ".css":
            site.files[f"static/{path.name}"] = path.read_bytes()
    site.files["static/site.css"] = scripts.small(sheet()).encode()
    site.files[f"static/{PLAYERS}"] = module.source(PLAYERS).encode()
    text = b"\n".join(content for path, content in site.files.items() if path.endswith(".html"))
    for picture in set(re.findall(rb"images/([\w.-]+)", text)):
        name = picture.decode()
        site.files[f"images/{name}"] = (HERE / "images" / name).read_bytes()


def sheet() -> str:
    """Returns the style of all pages."""
    return "".join((STATIC / name).read_text(encoding="utf-8") for name in SHEETS)
