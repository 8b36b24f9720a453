"""Make the API pages: `make docs`, or `python -m tests.docs.build [folder]`. They are plain files:
open dist/docs/index.html.

pdoc reads signatures and docstrings; `pages.py` says which pages there are, `templates/` what
differs from pdoc's own look: groups, public names in full, an index in a learner's order, and a
dark theme.
"""

import shutil
import sys
from pathlib import Path
from unittest.mock import patch

from pdoc import doc, render
from pygments.formatters import HtmlFormatter

import minitape
from tests.docs import pages

TEMPLATES = Path(__file__).parent / "templates"
FOLDER = Path(__file__).resolve().parent.parent.parent / "dist" / "docs"


def sections(public, readers, engine):
    """Return [(title, sentence, [(label, address, first sentence)])] of the index."""

    def rows(modules):
        return [
            (path, f"{path.replace('.', '/')}.html", first_sentence(module.__doc__))
            for path, module in modules.items()
        ]

    grouped = [
        (
            title,
            f"tf.html#{anchor(title)}",
            ", ".join(names[:8]) + (" ..." if len(names) > 8 else ""),
        )
        for title, names in public["tf"].groups
    ]
    return [
        (
            "import minitape as tf",
            "All public names stand on one page, in the order in which one meets them.",
            grouped,
        ),
        (
            "Modules of tf",
            "",
            rows({path: module for path, module in public.items() if path != "tf"}),
        ),
        (
            "Readers and widgets",
            "What looks at a tape, draws it and explains it; TensorFlow does not have these.",
            rows(readers),
        ),
        ("The engine", "For reading, file by file; a program uses the names above.", rows(engine)),
    ]


def first_sentence(text):
    """Return the first sentence of a docstring, on one line, without marks."""
    return (
        " ".join((text or "").strip().partition("\n\n")[0].replace("`", "").split())
        .partition(". ")[0]
        .rstrip(".")
    )


def anchor(title):
    """Return the address of a group within its page."""
    return "group-" + "".join(c if c.isalnum() else "-" for c in title.lower())


def build(folder, public, readers=None, engine=None):
    """Write the pages of these modules into a folder. Returns the paths of the modules."""
    readers, engine = readers or {}, engine or {}
    modules = public | readers | engine
    render.configure(
        docformat="markdown",
        template_directory=TEMPLATES,
        footer_text=f"minitape {minitape.__version__}",
    )
    render.env.globals |= {
        "anchor": anchor,
        "sections": sections(public, readers, engine),
        "first_sentence": first_sentence,
        "dark_code": HtmlFormatter(style="github-dark").get_style_defs(".pdoc-code"),
    }
    with patch.dict(sys.modules, modules), patch("pdoc.doc.safe_eval_type", as_written):
        every = {path: doc.Module(module) for path, module in modules.items()}
        for path, module in every.items():
            write(folder / f"{path.replace('.', '/')}.html", render.html_module(module, every))
        write(folder / "index.html", render.html_index(every))
        write(folder / "search.js", render.search_index(every))
    return list(every)


class Written:
    """An annotation as it stands in the program: `TensorLike`, not all that this name stands for."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def as_written(annotation, *_):
    """Return an annotation for a page: pdoc would look its names up, and show long unions."""
    return Written(annotation) if isinstance(annotation, str) else annotation


def write(file, text):
    """Write a text into a file, and make its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    made = build(folder, pages.public_pages(), pages.reader_pages(), pages.engine_pages())
    print(f"{len(made)} pages: {folder / 'index.html'}")
