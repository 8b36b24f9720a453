"""A pitfall as data: texts, a question, a broken and a mended program; and what happens when the programs are run.

The cards lie in `cards/`, one TOML file each. A program ends with `g`, the gradient in question. It is run in a namespace
of its own, in which `tf` is minitape and `np` is NumPy, while a film looks on.
"""

import ast
import contextlib
import io
import linecache
import tomllib
import traceback
import warnings
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

import minitape as tf
from minitape import storyboard as boards
from minitape.explain import explain_from

PLACE = Path(__file__).parent / "cards"
PLAYS = ("gradient", "jacobian", "batch_jacobian")
_runs = count(1)


class Card(NamedTuple):
    """One pitfall. `line` is the guilty line of the broken program, `category` what the explainer must call it ("" where it is
    no matter for the explainer), `result` and `good` the text of `g` in the broken and in the mended program.
    """

    key: str
    title: str
    symptom: str
    question: str
    right: int
    result: str
    good: str
    category: str
    line: int
    rule: str
    bites: str
    broken: str
    fixed: str
    choices: list


class Run(NamedTuple):
    """What came of a program: `answer`, the text of `g` or the name of an error; `error`, the error or None; `board`, the
    storyboard or None; `explanation` or None; `printed`, what it printed.
    """

    answer: str
    error: object
    board: object
    explanation: object
    printed: str


@cache
def cards():
    """Returns all cards by their keys, in the order of the gallery."""
    found = {}
    for path in sorted(PLACE.glob("*.toml")):
        key = path.stem.partition("-")[2]
        found[key] = Card(key=key, **tomllib.loads(path.read_text(encoding="utf-8")))
    return found


def keys():
    """Returns the keys of all cards, in the order of the gallery."""
    return list(cards())


def card(key):
    """Returns one card. Raises KeyError for a key that there is not."""
    if key not in cards():
        raise KeyError(f"There is no pitfall {key!r}. There are: {', '.join(keys())}.")
    return cards()[key]


def run(code, name="program", title="", explain=True, language="en"):
    """Runs a program while a film looks on, and asks for an explanation of its last gradient; returns a `Run`."""
    filename = f"<{name} {next(_runs)}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    names, printed, error = {"tf": tf, "np": np, "__name__": "__main__"}, io.StringIO(), None
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), boards.Film() as film:
        warnings.simplefilter("ignore")
        try:
            exec(compile(code, filename, "exec"), names)
        except Exception as raised:                          # the learner's program may do anything
            error = raised
        explanation = ask(code, names, film) if explain else None
    board = boards.develop(film, title=title, language=language, source_names={filename: name}, explain=names) if film.reels else None
    return Run(answer(names, error), error, board, explanation, printed.getvalue())


def answer(names, error):
    """Returns the text of the program's answer."""
    if error is not None:
        return type(error).__name__
    g = names.get("g")
    return str(g.numpy()) if hasattr(g, "numpy") else str(g)


def question(code):
    """Returns the program's last question to a tape as a question to the explainer, `tape.explain(y, x)`, or None."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in PLAYS]
    for call in sorted(calls, key=lambda c: (c.end_lineno, c.end_col_offset), reverse=True):
        given = call.args[:2] + [k.value for k in call.keywords if k.arg in ("target", "source", "sources")]
        if len(given) == 2:
            return f"{ast.unparse(call.func.value)}.explain({ast.unparse(given[0])}, {ast.unparse(given[1])})"
    return None


def ask(code, names, film):
    """Asks the explainer about the program's last gradient; returns the explanation (of the first None of several), or None."""
    try:
        if film.takes and film.takes[-1].end is not None and not any(n.kind == "used" for n in film.reels[-1].tape.notes):
            take = film.takes[-1]
            missing = [k for k, result in enumerate(take.results or []) if result is None] or [0]
            return explain_from((names,), take.where, take.reel.tape, take.targets, take.sources, only=missing)[0]
        asked = question(code)
        if asked is None:
            return None
        filename = f"<question {next(_runs)}>"
        linecache.cache[filename] = (len(asked), None, [asked + "\n"], filename)
        return tf.nest.flatten(eval(compile(asked, filename, "eval"), names))[0]
    except Exception:                                        # the learner's program may have stopped anywhere
        return None


def error_text(error):
    """Returns an error as a short text with the line of the learner's program."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<")]
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return f"{type(error).__name__}{f' in line {line}' if line else ''}: {error}"
