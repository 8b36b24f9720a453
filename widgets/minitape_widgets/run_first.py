"""A cell of an exercise that is run too early, after a restart or out of order, says which cell
comes first; one that Python cannot read, or that takes a text for a name, what may be meant.

A transformer of cells for IPython, which looks before the cell runs: so no NameError is hidden,
neither the learner's own in any other cell nor one inside of their function. A kernel that has just
started knows it by `startup.py`; so it is light to import.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
from collections.abc import Collection
from pathlib import PurePath
from typing import Any

OF_AN_EXERCISE = re.compile(r"""\bexercise(_\d\d_\w|\(["']\d\d\.)""")
DEFINES = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom
ITS_NAME = re.compile(r"exercise_\d\d_\w+")


def cells_first(lines: list[str]) -> list[str]:
    """Returns a cell as it is, or instead of a cell of an exercise that lacks a name one that says
    which cell to run first.
    """
    from IPython import get_ipython

    shell = get_ipython()
    said = "" if shell is None else first("".join(lines), shell.user_ns)
    return (
        [f"__import__('minitape.exercises.outcome', fromlist=['']).Prose({said!r})\n"]
        if said
        else lines
    )


def first(cell: str, known: Collection[str]) -> str:
    """Returns the sentence that says what to run before a cell of an exercise, "" for any other
    cell and where no name is missing.
    """
    if not OF_AN_EXERCISE.search(cell):
        return ""
    try:
        tree = ast.parse(cell)
    # Python says so itself, and a magic is no cell of an exercise
    except (SyntaxError, ValueError):
        return ""
    if any(isinstance(statement, DEFINES) for statement in tree.body):
        return ""  # cells that define or import something are the learner's
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    missing = [node.id for node in names if node.id not in {*made, *known, *dir(builtins)}]
    if not missing:
        return ""
    exercises = [name for name in missing if ITS_NAME.fullmatch(name)]
    key = "top" if "exercise" not in known else "exercise" if exercises else "answer"
    from minitape.exercises.outcome import SENTENCES

    return SENTENCES.say(f"first.{key}", {"name": (exercises or missing)[0]}, spoken())


def spoken() -> str:
    """Returns the learner's language: the folder of the notebook names it where no cell has chosen
    one yet. Where a kernel is not told its notebook, it stands in that folder.
    """
    from minitape.sentences import LANGUAGES, language

    folder = PurePath(os.environ.get("JPY_SESSION_NAME") or os.path.abspath("notebook")).parent.name
    return folder if folder in LANGUAGES else language()


def meaning_under(result: Any) -> None:
    """Shows under Python's error what it means, as a check does: there is no answer yet that could be
    checked. Only where exercises are in use.
    """
    from IPython import get_ipython
    from IPython.display import display

    error = result.error_before_exec or result.error_in_exec
    if isinstance(error, (SyntaxError, NameError)) and "exercise" in get_ipython().user_ns:
        from minitape.exercises.outcome import Prose, meaning

        if said := meaning(error):
            display(Prose(said))


def load(shell: Any) -> None:
    """Adds both to IPython, once."""
    if cells_first not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(cells_first)
        shell.events.register("post_run_cell", meaning_under)
