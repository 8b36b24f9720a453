"""What happens when the programs of a card are run: the answer, the explanation, the storyboard,
what was printed.

A program runs in a namespace of its own, in which `tf` is minitape and `np` is NumPy (in PyTorch's
cards `torch`, `nn` and `F` are PyTorch's), while a film looks on. A learner may change it to
anything, so it may stop with any error, print without end, or never end.
"""

from __future__ import annotations

import _thread
import ast
import contextlib
import io
import linecache
import re
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextvars import copy_context
from itertools import count
from typing import Any, NamedTuple

import numpy as np

import minitape as tf
from minitape import storyboard as boards
from minitape.explain import explain_from
from minitape.recorders import tell
from minitape.recorders.torch import explain as explain_torch
from minitape.recorders.torch import watch as watch_torch
from minitape.sentences import speaking

from . import recorded
from .card import WORDS

PLAYS = ("gradient", "jacobian", "batch_jacobian")
SECONDS = 10  # a program of a card takes milliseconds
PATIENCE = 0.5  # seconds between two attempts to end one
MOST_PRINTED = 2000  # characters that are kept of what a program prints
_runs = count(1)


class Run(NamedTuple):
    """What came of a program: `answer`, the text of `g` or the name of an error; `error`, the error
    or None; `board`, the storyboard or None; `explanation` or None; `printed`, what it printed.
    """

    answer: str
    error: BaseException | None
    board: boards.Storyboard | None
    explanation: Any
    printed: str


def of_minitape() -> tuple[dict[str, Any], Any]:
    """Returns the names that a program finds, and the block in which it runs."""
    return {"tf": tf}, contextlib.nullcontext()


def of_torch() -> tuple[dict[str, Any], Any]:
    """Returns the same for a program of PyTorch's. Raises ImportError where it is not installed."""
    import torch

    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}, watch_torch()


NAMES = {"tf": of_minitape, "torch": of_torch}


class Printed(io.StringIO):
    """What a program prints, up to a length: a loop that prints for ever does not fill the memory."""

    more = False

    def write(self, text: str) -> int:
        room = MOST_PRINTED - self.tell()
        self.more = self.more or len(text) > room
        super().write(text[: max(0, room)])
        return len(text)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[list[str]]:
    """Raises KeyboardInterrupt in the block when the time is over, and again until it ends: Python
    lets an interrupt go that meets a callback of its garbage collector. Only the main thread can be
    interrupted, where there are others; elsewhere there is no limit.
    """
    lock, ended = threading.Lock(), threading.Event()
    over: list[str] = []

    def interrupt() -> None:
        pause = seconds
        while not ended.wait(pause):
            with lock:
                if not ended.is_set():
                    over.append("time")
                    _thread.interrupt_main()
            pause = PATIENCE

    if threading.current_thread() is threading.main_thread():
        with contextlib.suppress(RuntimeError):  # no threads here
            threading.Thread(target=interrupt, daemon=True).start()
    try:
        yield over
    finally:
        with lock:
            ended.set()


def run(
    code: str,
    name: str = "program",
    title: str = "",
    explain: bool = True,
    language: str = "en",
    seconds: float | None = None,
    library: str = "tf",
    anew: bool = False,
) -> Run:
    """Runs a program while a film looks on, and asks for an explanation of its last gradient;
    returns a `Run`. What was recorded of a program of PyTorch's is returned as it was, unless it is
    to be run `anew`.
    """
    if library == "torch" and not anew and (kept := recorded.kept(code, language)):
        return Run(*kept)
    try:
        given, block = NAMES[library]()
    except ImportError:
        missing = ImportError(WORDS.say("no-torch", language=language))
        return Run("ImportError", missing, None, None, "")
    filename = f"<{name} {next(_runs)}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    names, printed = given | {"np": np, "__name__": "__main__"}, Printed()
    error: BaseException | None = None
    seconds = seconds or SECONDS
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        block,
        boards.Film() as film,
    ):
        warnings.simplefilter("ignore")
        over: list[str] = []
        try:
            with limited(seconds) as over:
                # a tape that is left open ends with it
                copy_context().run(exec, compile(code, filename, "exec"), names)
        except KeyboardInterrupt:
            late = over[:1] == ["time"]
            error = (
                TimeoutError(WORDS.say("too-long", {"seconds": seconds}, language))
                if late
                else InterruptedError(WORDS.say("interrupted", language=language))
            )
        except (Exception, SystemExit) as raised:  # the learner's program may do anything
            error = raised
        with speaking(language):
            explanation = (
                explain_last(code, names, film, error)
                if explain and not isinstance(error, TimeoutError | InterruptedError)
                else None
            )
    if error is not None and library == "torch":
        film.stopped(error)  # its errors come from `backward`, where the graph is there to be seen
    with speaking(language):
        board = (
            boards.develop(
                film,
                title=title,
                language=language,
                source_names={filename: title or name},
                explain=names,
            )
            if film.tapes and not isinstance(error, TimeoutError | InterruptedError)
            else None
        )
    text = printed.getvalue() + (
        f"\n{WORDS.say('more', language=language)}" if printed.more else ""
    )
    return Run(answer_text(names, error), error, board, explanation, text)


def answer_text(names: Any, error: Any) -> str:
    """Returns the text of the program's answer; "" where it has none."""
    if error is not None:
        return type(error).__name__
    if "g" not in names:
        return ""
    g = names["g"]
    g = g.detach() if hasattr(g, "detach") else g
    return str(g.numpy()) if hasattr(g, "numpy") else str(g)


def question(code: str) -> str | None:
    """Returns the program's last question to a tape as a question to the explainer,
    `tape.explain(y, x)`, or None.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return None
    calls = [
        (n, n.func.value)
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in PLAYS
    ]
    for call, tape in sorted(
        calls, key=lambda c: (c[0].end_lineno, c[0].end_col_offset), reverse=True
    ):
        given = call.args[:2] + [
            k.value for k in call.keywords if k.arg in ("target", "source", "sources")
        ]
        if len(given) == 2:
            return f"{ast.unparse(tape)}.explain({ast.unparse(given[0])}, {ast.unparse(given[1])})"
    return None


def question_of_torch(code: str, error: BaseException | None) -> str | None:
    """Returns the question to the explainer of PyTorch: about an error that it knows, else about
    the tensor of which `g` is the gradient or the number.
    """
    if error is not None:
        return "explain()" if tell(error) else None
    asked = re.search(r"^g = (.+)\.(?:grad|item\(\))$", code, re.MULTILINE)
    return asked and f"explain({asked[1]})"


def explain_last(code: str, names: Any, film: Any, error: BaseException | None = None) -> Any:
    """Asks the explainer about the program's last gradient; returns the explanation (of the first
    None of several), or None.
    """
    of_torch = "torch" in names
    try:
        if (
            not of_torch
            and film.played
            and film.played[-1].end is not None
            and not any(n.kind == "used" for n in film.tapes[-1].recording.notes)
        ):
            play = film.played[-1]
            given = [] if play.error is not None else play.gradients or []
            missing = [k for k, gradient in enumerate(given) if gradient is None]
            asked_at = (names,), play.where, play.tape.recording, play.targets
            if not missing:
                return explain_from(*asked_at, play.sources[0])
            return explain_from(*asked_at, play.sources, only=missing)[0]
        asked = question_of_torch(code, error) if of_torch else question(code)
        if asked is None:
            return None
        filename = f"<question {next(_runs)}>"
        linecache.cache[filename] = (len(asked), None, [asked + "\n"], filename)
        scope = {**names, "explain": explain_torch} if of_torch else names
        return tf.nest.flatten(eval(compile(asked, filename, "eval"), scope))[0]
    except Exception:  # the learner's program may have stopped anywhere
        return None


def error_text(error: BaseException, language: str = "en") -> str:
    """Returns an error as a short text with the line of the learner's program."""
    if isinstance(error, TimeoutError | InterruptedError) and not error.__traceback__:
        return str(error)
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("<")
    ]
    line = (
        getattr(error, "lineno", None)
        if isinstance(error, SyntaxError)
        else lines[-1]
        if lines
        else None
    )
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return WORDS.say(
        "error-line" if line else "error",
        {"name": type(error).__name__, "line": line, "text": text},
        language,
    )
