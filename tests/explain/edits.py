"""Random edits of a program's text: what a learner leaves half typed, pasted twice, or takes from
another line. Whatever still runs is explained.
"""

import contextlib
import io
import signal
import time
import tokenize
import traceback
from contextlib import contextmanager
from types import SimpleNamespace

from minitape.engine.explainer import EXPLAINER
from minitape.explain import for_tapes
from tests.explain.programs import as_cells

RUN = 3.0  # seconds of computing that a program has: an edit may make it endless
KINDS = (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING)


class Endless(BaseException):
    """A program that does not come to its end."""


def edited(rng, code):
    """Returns the code with one to three edits, at least one of them of a token or a line."""
    for _ in range(rng.integers(1, 4)):
        lines = code.splitlines()
        k = int(rng.integers(len(lines)))
        other = lines[int(rng.integers(len(lines)))]
        match rng.integers(8):
            case 0:
                del lines[k]
            case 1:
                lines.insert(k, other)
            case 2:
                lines[k], lines[k - 1] = lines[k - 1], lines[k]
            case 3:
                lines[k] = (
                    "    " + lines[k] if rng.random() < 0.5 else lines[k].removeprefix("    ")
                )
            case _:
                return in_a_token(rng, code)
        code = "\n".join(lines) + "\n"
    return code


def in_a_token(rng, code):
    """Returns the code with a token left out, written twice, or put in the place of another."""
    try:
        found = [
            token
            for token in tokenize.generate_tokens(io.StringIO(code).readline)
            if token.type in KINDS
        ]
    except (tokenize.TokenError, IndentationError):
        return code
    token = found[int(rng.integers(len(found)))]
    same = [other.string for other in found if other.type == token.type]
    text = rng.choice(["", f"{token.string} {token.string}", *same[:20], *same[-20:]])
    lines = code.splitlines(keepends=True)
    line, (row, left), (last, right) = lines[token.start[0] - 1], token.start, token.end
    if row == last:
        lines[row - 1] = line[:left] + str(text) + line[right:]
    return "".join(lines)


@contextmanager
def looked_at(asked):
    """Inside the block, notes for each question to the explainer how long it computed, and what it
    raised.
    """
    load, explain_at = EXPLAINER.load, for_tapes.explain_at
    explainer = load()

    def noted(function):
        def ask(*arguments, **named):
            began, trouble = time.process_time(), None
            try:
                return function(*arguments, **named)
            except Exception:
                trouble = traceback.format_exc()
                if "ipykernel" in trouble:  # a rule of the program's own raises
                    trouble = None
                raise
            finally:
                asked.append((time.process_time() - began, trouble))

        return ask

    EXPLAINER.load = lambda: SimpleNamespace(
        **{name: noted(getattr(explainer, name)) for name in ("on_none", "explain")}
    )
    for_tapes.explain_at = noted(explain_at)  # which says what is known, where that raises
    try:
        yield
    finally:
        EXPLAINER.load, for_tapes.explain_at = load, explain_at


def asked_by(program):
    """Runs a program as cells; returns what it asked the explainer, as `looked_at` notes it."""

    def endless(*_):
        raise Endless

    asked = []
    before = signal.signal(signal.SIGVTALRM, endless)
    try:
        with looked_at(asked), contextlib.redirect_stdout(io.StringIO()):
            signal.setitimer(signal.ITIMER_VIRTUAL, RUN)
            names, _ = as_cells(program, None)
            shown = names.get("e")
            if asked and hasattr(shown, "html"):
                assert str(shown) and shown.html()
    except (Exception, Endless):
        pass  # the program's own errors
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return asked
