"""What a program prints and computes, and its gradients: to be compared with and without somebody
who explains it.
"""

import contextlib
import io
import linecache
import random
import re
import warnings
from unittest.mock import MagicMock

import numpy as np

from minitape.explain.script import Watch


class Onlooker(Watch):
    """Asks for every gradient before it is played and afterwards, as `explain script.py` does, and
    goes on.
    """

    def ask(self, *question):
        with contextlib.suppress(SystemExit):
            super().ask(*question)


def told(value, depth=3):
    """Returns what a value holds, as far as it holds numbers or text."""
    if hasattr(type(value), "numpy"):
        with contextlib.suppress(Exception):
            value = np.asarray(value.numpy())
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return value
    if isinstance(value, (int, float, complex, str, bytes, np.generic)):
        return value if value == value else "nan"
    if isinstance(value, (list, tuple)) and depth:
        return [told(each, depth - 1) for each in value]
    if isinstance(value, dict) and depth:
        return {str(key): told(each, depth - 1) for key, each in value.items()}
    return type(value).__name__


def alike(a, b, by=0.0):
    """True where two outcomes are equal, but for a part `by` of each number."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        same = a.shape == b.shape and a.dtype == b.dtype
        if a.dtype.kind in "fc" and by:
            return same and np.allclose(a, b, rtol=by, atol=by, equal_nan=True)
        return same and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(alike(x, y, by) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key], by) for key in a)
    if isinstance(a, float) and isinstance(b, float) and by:
        return abs(a - b) <= by * max(1.0, abs(b))
    return type(a) is type(b) and a == b


def outcome(program, tf, explain):
    """Runs a program, and returns what it computed: its output, its names, its gradients.

    `explain(tape, target, source)` answers its questions; with None nobody does. Each is asked once
    more as a gradient.
    """
    text = program.code.replace("#: cell\n", "\n")
    gradients, name = [], f"<{program.name}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name

    def ask(tape, target, source):
        found = MagicMock() if explain is None else explain(tape, target, source)
        try:
            gradients.append(told(tape.gradient(target, source)))
        except Exception as error:
            said = f"{type(error).__name__}: {error}".split("\n")[0]
            gradients.append(re.sub("0x[0-9a-f]+", "0x", said))  # an address
        return found

    names, out = {"tf": tf, "np": np, "__name__": "__main__"}, io.StringIO()
    kind, before = (
        tf.GradientTape,
        {n: vars(tf.GradientTape).get(n) for n in ("gradient", "explain")},
    )
    for seed in (random.seed, np.random.seed, tf.random.set_seed):
        seed(0)
    kind.explain = ask
    if explain is not None:
        kind.gradient = Onlooker(name, io.StringIO()).around(kind.gradient)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(out):
            warnings.simplefilter("ignore")
            exec(compile(text, name, "exec"), names)
    except Exception as error:  # the program's own
        gradients.append(type(error).__name__)
    finally:
        for each, old in before.items():
            setattr(kind, each, old) if old is not None else delattr(kind, each)
    kept = {n: told(v) for n, v in names.items() if n[:2] != "__" and n not in ("e", "tf", "np")}
    printed = re.sub(r"\d+[mu]?s(?:/step)?\b", "", out.getvalue())  # the time a bar of Keras tells
    return printed, kept, gradients
