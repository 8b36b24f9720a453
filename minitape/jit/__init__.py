"""Faster kernels by numba, off unless switched on, and invisible in the results.

`enable()` exchanges some kernels in the table of operations and lets the process keep more freed
memory for its next arrays (`engine/base/allocator.py`), `disable()` puts everything back. No
operation knows which kernel runs; gradients gain too, because the rules are written in the
library's operations. Needs numba: `pip install minitape[jit]`.
"""

from __future__ import annotations

from ..engine.base import allocator
from ..engine.play import JOINED
from . import exchange
from .exchange import available, faster_rows


class enable:
    """Switch the faster kernels on: at once, or inside of a `with` block only.

    Raises ImportError, with the way to get it, where numba cannot be imported.
    """

    def __init__(self) -> None:
        self._before = enabled()
        rows = faster_rows()
        allocator.keep_freed(allocator.MORE)
        for row in rows.values():
            exchange.put_in(row)
        from .fused import on_tape

        JOINED.fill(lambda: on_tape)

    def __enter__(self) -> enable:
        return self

    def __exit__(self, *error: object) -> None:
        if not self._before:
            disable()

    def __repr__(self) -> str:
        return f"minitape.jit is on: {len(exchange.plain)} operations have faster kernels."


def disable() -> None:
    """Put NumPy's kernels back, and keep no more freed memory than before."""
    exchange.put_back()
    JOINED.empty()
    allocator.keep_freed(allocator.USUAL)


def enabled() -> bool:
    """Return True while the faster kernels are in use."""
    return bool(exchange.plain)


__all__ = ["available", "disable", "enable", "enabled"]


def __dir__() -> list[str]:
    return sorted(__all__)
