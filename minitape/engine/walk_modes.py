"""Special cases of `walk`: several outputs, batches of seeds, complex numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .base.tensor import Tensor
from .ops.elementwise import conj
from .ops.shaping import stack

if TYPE_CHECKING:
    from .base.aliases import Array, Numbers, Value, Values
    from .ops.record import Op


def filled(
    adjoints: Sequence[Value | None], outputs: tuple[Array, ...], on_tensors: bool, lead: int
) -> tuple[Value, ...] | None:
    """Return the adjoints of several outputs, with zeros for those that nothing used; None where
    nothing used any of them.
    """
    some = next((g for g in adjoints if g is not None), None)
    if some is None:
        return None

    def zeros(y: Array) -> Value:
        nothing = np.zeros((*some.shape[:lead], *y.shape), y.dtype)[()]
        return Tensor(nothing) if on_tensors else nothing

    return tuple([zeros(y) if g is None else g for g, y in zip(adjoints, outputs)])


def row_by_row(
    parts_of: Callable[..., list[tuple[int, Value]]],
    op: Op,
    inputs: Numbers,
    reach: set[int],
    g: Values,
    y: Values,
    values: tuple[Value, ...],
    attributes: dict[str, Any],
) -> list[tuple[int, Value]]:
    """Apply rules that do not support a batch of seeds to one seed at a time, and stack the parts."""
    seeds = zip(*g) if isinstance(g, tuple) else iter(g)
    per_row = [parts_of(op, inputs, reach, seed, y, values, attributes) for seed in seeds]
    return (
        [(i, stack(*[row[k][1] for row in per_row], axis=0)) for k, (i, _) in enumerate(per_row[0])]
        if per_row
        else []
    )


def conjugated(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the complex conjugates, and real values as they are. This is all that complex numbers
    ask of a walk.
    """
    return tuple([conj(v) if v.dtype in (np.complex64, np.complex128) else v for v in values])
