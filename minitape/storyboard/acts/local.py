"""The local derivative at a part, which a rule never shows by itself.

It is the rule's answer to an adjoint of ones, and it is shown only where adjoint times local
derivative truly is the part.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from minitape.engine.base.aliases import Array, Arrays
from minitape.engine.ops.record import OPS
from minitape.engine.recording import Entry, rule_of

# entries of an array; above it a local derivative is not worth a second run of the rule
MOST = 4096


class LocalDerivatives:
    """Finds local derivatives, and remembers which rules work element by element."""

    def __init__(self) -> None:
        self._separable: dict[tuple[Any, ...], bool] = {}

    def of(
        self, entry: Entry, kept: tuple[Arrays, Arrays], place: int, part: Array, adjoint: Array
    ) -> tuple[Array | None, bool]:
        """Returns (the local derivative or None, whether the walk summed stretched axes)."""
        op, (values, outputs), attributes = OPS.get(entry.op), kept, entry.attributes or {}
        y = outputs[0]
        if (
            op is None
            or len(outputs) > 1
            or y.dtype.kind != "f"
            or y.size > MOST
            or values[place].size > MOST
        ):
            return None, False
        rule = rule_of(op, place)
        if rule is None:
            return None, False
        try:
            one = np.ones_like(y) if y.ndim else type(y)(1)
            local = cast("Array", rule(one, y, *values, **attributes))  # as all that it is given
            if not y.ndim:
                return (
                    local
                    if getattr(local, "shape", ()) == part.shape and _close(adjoint * local, part)
                    else None
                ), False
            if np.shape(local) != y.shape:
                return None, False
            key = (entry.op, place, repr(attributes)[:200], tuple(v.shape for v in values))
            # adjoint times local derivative, element by element? try another adjoint
            if key not in self._separable:
                probe = (np.arange(1, y.size + 1, dtype=y.dtype) % 7 + 1).reshape(y.shape)
                self._separable[key] = bool(
                    np.allclose(
                        rule(probe, y, *values, **attributes), probe * local, equal_nan=True
                    )
                )
        # a learner's own rule may fail on an adjoint it does not expect; then nothing is shown
        except Exception:
            return None, False
        stretched = local.shape != part.shape
        return (local if self._separable[key] else None), stretched and self._separable[key]


def _close(a: Array, b: Array) -> bool:
    """Says whether two values agree; spelled out for numbers, because long tapes ask this often."""
    if getattr(a, "ndim", 0) or getattr(b, "ndim", 0):
        return bool(np.allclose(a, b, rtol=1e-4, equal_nan=True))
    return bool(a == b or abs(a - b) <= 1e-4 * abs(b) or (a != a and b != b))
