"""The page "My gradient is None": a program is pasted, and answered in the browser.

    python -m notebooks.site.why_page dist/site        makes why.html, fr/why.html and why/

It stands beside the folder `pyodide`, which `python -m notebooks.site.lab` makes.
"""

from __future__ import annotations

import html
import json
import shutil
import sys
from pathlib import Path

from nbformat import NotebookNode

from minitape.sentences import LANGUAGES, NAMES, Catalogue
from minitape_widgets import module, scripts

from .executed import stored
from .pages import TEXTS
from .whole import ICON, sheet

SOURCES = Path(__file__).parent / "why"
WORDS = Catalogue(SOURCES / "messages")
FILES = ("answer.py", "link.js", "why.js", "worker.js")
AROUND = "course", "foot", "lessons", "search", "skip", "why"  # sentences of all pages
DOORS = "pitfalls", "glossary"  # in English where a language has none
EXAMPLE = """import tensorflow as tf

x = tf.constant(3.0)

with tf.GradientTape() as tape:
    y = x * x

print(tape.gradient(y, x))
"""


def build(out: Path) -> None:
    """Make the page in every language."""
    (out / "why").mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(SOURCES / name, out / "why" / name)
    shutil.copyfile(ICON, out / "why" / ICON.name)
    style = sheet() + (SOURCES / "why.css").read_text("utf-8")
    (out / "why" / "why.css").write_text(scripts.small(style), "utf-8")
    (out / "why" / "player.js").write_text(module.source(), "utf-8")
    for language in LANGUAGES:
        file = out / way(language)
        file.parent.mkdir(exist_ok=True)
        file.write_text(page(language), "utf-8")


def way(language: str) -> str:
    """Return the way to the page of a language."""
    return "why.html" if language == "en" else f"{language}/why.html"


def page(language: str) -> str:
    """Return the page, with the same head as those to read."""
    sentences, root = WORDS(language), "" if language == "en" else "../"
    others = [
        f'<a href="{root}{way(each)}" lang="{each}" hreflang="{each}">{NAMES[each]}</a>'
        for each in LANGUAGES
        if each != language
    ]
    notebooks = stored(DOORS)
    own = {name: language if (name, language) in notebooks else "en" for name in DOORS}
    doors = [
        f'<a href="{root * (there == "en")}{name}.html">{title(notebooks[name, there])}</a>'
        for name, there in own.items()
    ]
    filled = {key.removeprefix("page."): text for key, text in sentences.items() if "page." in key}
    states = {
        key.removeprefix("state."): text for key, text in sentences.items() if "state." in key
    }
    filled |= {key: html.escape(TEXTS(language)[key]) for key in AROUND}
    filled |= {
        "language": language,
        "languages": TEXTS(language)["language"],
        "root": root,
        "doors": " ".join(doors),
        "others": " ".join(others),
        "example": html.escape(EXAMPLE),
        "words": json.dumps(states, ensure_ascii=False).replace("<", "\\u003c"),
    }
    text = (SOURCES / "page.html").read_text("utf-8")
    for key, value in filled.items():
        text = text.replace(f"{{{key}}}", value)
    return text


def title(notebook: NotebookNode) -> str:
    """Return the title of a notebook, which is its first heading."""
    return html.escape(notebook.cells[0].source.splitlines()[0].lstrip("# "))


if __name__ == "__main__":
    build(Path(sys.argv[1]))
