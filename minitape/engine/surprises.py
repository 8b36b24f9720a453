"""Is a gradient one of those that learners ask about? Then the tape keeps what an answer needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING

from numpy import vdot

from .ground.tensor import Tensor

if TYPE_CHECKING:
    from .ground.aliases import Value

LOOKED_AT = 65_536       # numbers of a gradient that are looked at: 4 microseconds
HUGE = 1e16              # of the sum of the squares


def surprising(targets: Sequence[Tensor], gradients: Iterable[Value | None]) -> bool:
    """Return True where a gradient is None, all zero, not finite or huge, or a target is not finite.

    Of large ones only the beginning is looked at: a training step should not wait for a question that is rarely asked.
    """
    for t in targets:
        if t.value.dtype.kind == "f" and not float(vdot(t.value, t.value)) < inf:
            return True
    for g in gradients:
        if g is None:
            return True
        if type(g) is Tensor:
            g = g.value
        if g.size > LOOKED_AT:
            g = g.reshape(-1)[:LOOKED_AT]
        if not 0 < float(vdot(g, g).real) < HUGE and g.size:        # false for nan as well
            return True
    return False
