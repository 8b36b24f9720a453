"""The notebooks of the course with all their outputs, also those that a stored notebook leaves out
because they answer what was just asked.

Running them takes a minute or two. What came of it is kept under a key of all that it depends on:
the cells, the code of minitape, and the versions below it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
from nbformat import NotebookNode

from minitape.disk import write_whole
from minitape.sentences import LANGUAGES
from notebooks import build, link

HERE = Path(build.HERE)
CODE = ("minitape", "widgets/minitape_widgets")

Notebooks = dict[tuple[str, str], NotebookNode]


def stored(names: tuple[str, ...] = ()) -> Notebooks:
    """Returns the notebooks of the course, as they are stored, by (name, language); all of them
    where none is named.
    """
    return {
        (name, language): nbformat.read(
            HERE / ("" if language == "en" else language) / f"{name}.ipynb", as_version=4
        )
        for language in LANGUAGES
        for name in link.lessons(language)
        if not names or name in names
    }


def run_all(notebooks: Notebooks, kept: Path) -> Notebooks:
    """Returns the notebooks after a run of all their cells, as many at once as there are
    processors. What was run before is read from the folder `kept`, which then holds these runs only.
    """
    kept.mkdir(parents=True, exist_ok=True)
    files = {which: kept / f"{key_of(notebook)}.ipynb" for which, notebook in notebooks.items()}
    for other in set(kept.glob("*.ipynb")) - set(files.values()):
        other.unlink()

    def run(which: tuple[str, str]) -> NotebookNode:
        if files[which].exists():
            return nbformat.read(files[which], as_version=4)
        notebook = notebooks[which]
        build.run(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = build.joined(cell.outputs)
        write_whole(files[which], nbformat.writes(notebook).encode())
        return notebook

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(notebooks, pool.map(run, notebooks)))


def key_of(notebook: NotebookNode) -> str:
    """Returns what tells a run from every other: the same key, the same outputs."""
    cells = [[cell.cell_type, cell.source, cell.metadata] for cell in notebook.cells]
    about = [cells, code(), sys.version, np.__version__, build.PINNED]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:32]


@cache
def code() -> str:
    """Returns a checksum of all that computes an output."""
    total = hashlib.sha256()
    for path in sorted(files_of_code()):
        total.update(path.read_bytes())
    return total.hexdigest()


def files_of_code() -> Iterator[Path]:
    """Yields the files that the outputs depend on: not the front end, which only shows them."""
    for folder in CODE:
        for path in (HERE.parent / folder).rglob("*"):
            if path.suffix in (".py", ".json", ".toml") and "static" not in path.parts:
                yield path
