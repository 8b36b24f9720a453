"""Faster kernels by numba, off unless switched on, and invisible in the results.

`enable()` exchanges some kernels in the table of operations and lets the process keep freed memory for its next arrays
(`memory.py`), `disable()` puts everything back, `status()` shows which are
in use and what they gain on this machine. No operation knows which kernel runs; gradients gain too, because the rules
are written in the library's operations. Needs numba: `pip install minitape[jit]`.
"""

from importlib import import_module
from importlib.util import find_spec

from . import exchange, memory


class enable:
    """Switch the faster kernels on: at once, or inside of a `with` block only.

    Raises ImportError, with the way to get it, where numba is not installed.
    """

    def __init__(self):
        self._before = enabled()
        rows = _rows()
        memory.keep_freed()
        for row in rows.values():
            exchange.put_in(row)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if not self._before:
            disable()

    def __repr__(self):
        return f"minitape.fast is on: {len(exchange.plain)} operations have faster kernels; minitape.fast.status() shows them."


def disable():
    """Put NumPy's kernels back, and the C library's habits with memory."""
    exchange.put_back()
    memory.give_back()


def enabled():
    """Return True while the faster kernels are in use."""
    return bool(exchange.plain)


def status(measure=True):
    """Return a table: operation, kernel in use, and its speed measured now on this machine against NumPy's.

    Measuring compiles every kernel, so the first time takes some seconds; `measure=False` only lists them. The steps of
    optimizers stand in it once an optimizer was used. Without numba the table says how to get it.
    """
    from .report import Status
    return Status(measure)


def warm():
    """Compile every kernel now, so that they lie in the cache; without numba it does nothing."""
    if not available():
        return
    from .machine import warm_up
    from .report import pairs
    for row in _rows().values():
        for _, _, fast in pairs(row):
            fast()
    warm_up()


def available():
    """Return True where numba is installed."""
    return find_spec("numba") is not None


def _rows():
    if not available():
        raise ImportError("minitape.fast needs numba, which is not installed. Get it with `pip install minitape[jit]`; "
                          "everything else in minitape works without it.")
    for table in ("special", "neural_nets", "normalisation", "pooling"):  # loaded else only when a program needs them
        import_module(f"..engine.ops.further.{table}", __name__)
    from . import activations, normalisation, places, softmax, stretched, updates, windows  # noqa: F401  each puts its rows into the table
    from .table import ROWS
    return ROWS


__all__ = ["available", "disable", "enable", "enabled", "status", "warm"]
