"""A notebook as the body of a page: prose, demonstrations, questions, and exercises with a place to
write in.

What a cell shows that was to be predicted lies folded below it, and a click "runs" it. The cells
that a kernel alone can answer, those that check and hint, are left out: an exercise says where it
checks itself.
"""

from __future__ import annotations

import html
import re

from nbformat import NotebookNode

from notebooks.build import UNSTORED

from .outputs import Shown
from .pages import Page
from .prose import coloured, program

ASKS = re.compile(r"\A(ask\(exercise\(.*\)\)|(\w+ = exercise\(.*\)\n)?\w+\.question\(\))\Z")
HELPS = re.compile(r"(?m)^(# )?exercise_\w+( = exercise\(|\.(check|hint|solution)\()")


def body_of(notebook: NotebookNode, page: Page, shown: Shown) -> str:
    """Returns the body of a page for all cells of a notebook."""
    cells = list(notebook.cells)
    parts, skip = [], -1
    for k, cell in enumerate(cells):
        if k <= skip:
            continue
        following = cells[k + 1] if k + 1 < len(cells) else None
        if cell.cell_type == "markdown" and exercise_of(following):
            skip = last_of(cells, k + 1)
            parts.append(exercise(cells[k : skip + 1], page, shown))
        elif cell.cell_type == "markdown":
            parts.append(shown.prose.html_of(cell.source))
        else:
            parts.append(demonstration(cell, page, shown))
    body = "".join(parts)
    runs = any(cell.cell_type == "code" for cell in cells)
    return reading(body, page) if runs else body


def reading(body: str, page: Page) -> str:
    """Returns the body of a lesson with a line under its title: what works on this page, and where
    its cells run.
    """
    run = f" {run_link(page)}" if page.lab else ""
    note = f'<p class="note reading">{html.escape(page.say("reading"))}{run}</p>'
    return body.replace("</h1>", f"</h1>{note}", 1)


def run_link(page: Page) -> str:
    """Returns the link to the place where the notebook of a page runs."""
    return f'<a href="{html.escape(page.lab)}">{html.escape(page.say("run-lesson"))}</a>'


def exercise_of(cell: NotebookNode | None) -> str:
    """Returns the exercise that a cell belongs to, "" for none."""
    return str(cell.metadata.get("exercise", "")) if cell is not None else ""


def last_of(cells: list[NotebookNode], first: int) -> int:
    """Returns the place of the last cell of the exercise that begins there."""
    return max(k for k, cell in enumerate(cells) if exercise_of(cell) == exercise_of(cells[first]))


def demonstration(cell: NotebookNode, page: Page, shown: Shown) -> str:
    """Returns a program and what it has shown; a question alone where the cell asks one."""
    output = shown.all_of(cell)
    if ASKS.match(cell.source):
        return f'<div class="asks">{output}</div>' if output else ""
    written = program(coloured(cell.source)) if cell.source.strip() else ""
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        written = folded(page.say("folded"), written)
    if UNSTORED in cell.metadata.get("tags", []):
        output = folded(page.say("run"), output, "answer") if output else unrun(page)
    return f'<div class="cell">{written}{output}</div>\n'


def unrun(page: Page) -> str:
    """Returns what stands in the place of an output that nobody has made."""
    return f'<p class="note">{html.escape(page.say("unrun"))}</p>'


def folded(summary: str, inner: str, kind: str = "folded") -> str:
    """Returns something that a click unfolds."""
    return f'<details class="{kind}"><summary>{html.escape(summary)}</summary>{inner}</details>'


def exercise(cells: list[NotebookNode], page: Page, shown: Shown) -> str:
    """Returns an exercise: its text, its question where it asks one, and a draft."""
    prompt, *others = cells
    title = prompt.source.partition("\n")[0].lstrip("# ")
    parts = [shown.prose.html_of(prompt.source)]
    for cell in others:
        if cell.cell_type != "code":
            continue
        if ASKS.match(cell.source):
            parts.append(demonstration(cell, page, shown))
        elif not HELPS.search(cell.source):
            parts.append(draft(cell, title, page))
    return f'<section class="exercise">{"".join(parts)}</section>\n'


def draft(cell: NotebookNode, title: str, page: Page) -> str:
    """Returns the field for an answer, which begins with the starter; a browser keeps it."""
    starter = cell.source.rstrip()
    return (
        f'<textarea class="draft" data-exercise="{html.escape(exercise_of(cell))}" '
        f'rows="{starter.count(chr(10)) + 2}" spellcheck="false" autocapitalize="off" '
        f'autocomplete="off" wrap="off" aria-label="{html.escape(page.say("draft", title=title))}">'
        f"\n{html.escape(starter)}</textarea>"
        f'<p class="draft-row"><button type="button" class="reset" hidden>'
        f'{html.escape(page.say("reset"))}</button> <span class="note" role="status" '
        f'data-kept="{html.escape(page.say("kept"))}"></span></p>'
        f'<p class="where note">{where(page)}</p>'
    )


def where(page: Page) -> str:
    """Returns where the exercises of a page check themselves."""
    if page.lab:
        return f"{html.escape(page.say('checks-there'))} {run_link(page)}"
    return html.escape(page.say("checks-here"))
