"""Tests whether a gradient is surprising; if so, the tape keeps its arrays for an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from numpy import float32, vdot

from .base.tensor import Tensor

if TYPE_CHECKING:
    from .base.aliases import RawEntry, Value

HUGE = 1e16  # of the sum of the squares
TINY = 1e-12  # of the same: parts that cancel leave their rounding
LAST = 16  # entries that are looked at


def stretches(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return True for the shapes (n, 1) and (n,) with n > 1, which broadcast to (n, n): most likely
    by mistake.
    """
    column, row = (a, b) if len(a) > len(b) else (b, a)
    return len(row) == 1 and len(column) == 2 and column[1] == 1 and column[0] == row[0] > 1


def sum_of_squares(a: Any) -> float:
    """Return the sum of the squares of all numbers, infinite or NaN where one of them is."""
    # of one number, a tenth of the time of `vdot`
    return float(a) ** 2 if type(a) is float32 else float(vdot(a, a).real)


def surprising(
    results: Sequence[Any], gradients: Iterable[Value | None], entries: Sequence[RawEntry] = ()
) -> bool:
    """Return True where a gradient is None, zero but for rounding, not finite or huge, a result is
    not finite, or both sides of one of the last entries were stretched.

    All elements of a gradient are checked, which costs less than one multiplication of the play.
    Only the last entries are checked for shapes, since predictions and targets meet at the end.
    """
    for entry in entries[-LAST:]:
        values = entry[6]
        if len(values) == 2:
            a, b = values
            if a.ndim + b.ndim == 3 and a.size == b.size and stretches(a.shape, b.shape):
                return True
    for t in results:
        if t.value.dtype.kind == "f" and not sum_of_squares(t.value) < inf:
            return True
    for g in gradients:
        if g is None:
            return True
        if type(g) is Tensor:
            g = g.value
        if not TINY < sum_of_squares(g) < HUGE and g.size:  # type: ignore[union-attr]  # an array by now; false for nan as well
            return True
    return False
