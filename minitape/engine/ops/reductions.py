"""Reductions (sum, mean, maximum, ...) along axes, and broadcasting, whose reverse is a sum.

The reverse of a sum is a copy. In the rules, the axis that was reduced is first given back with
length 1 (`back`), then the adjoint is copied along it (`stretch`).
"""

from __future__ import annotations

import numpy as np

from ..base.aliases import Array, Axis, Ints, Value
from ..base.tensor import Tensor
from .elementwise import cast, exp, numpy_dtype
from .kernels import count, extreme, log_sum_exp, mean, total
from .record import Op
from .shaping import back, broadcast_to, expand, expanded, lead, repeated, reshape

# fmt: off
reduce_sum  = Op("Sum",       total,               lambda g, y, x, **how: stretch(g, y, x, **how))
reduce_mean = Op("Mean",      mean,                lambda g, y, x, **how: stretch(g / count(x, how["axis"]), y, x, **how))
reduce_max  = Op("Max",       extreme(np.maximum), lambda g, y, x, **how: back(g, y, x, **how) * share(y, x, **how))
reduce_min  = Op("Min",       extreme(np.minimum), lambda g, y, x, **how: back(g, y, x, **how) * share(y, x, **how))
logsumexp   = Op("LogSumExp", log_sum_exp,         lambda g, y, x, **how: back(g, y, x, **how) * exp(x - back(y, y, x, **how)))
tile        = Op("Tile", lambda x, multiples: np.tile(x, multiples),
                 lambda g, y, x, multiples: sum_of_tiles(g, y, x, multiples))

# The place of the largest element, and yes or no, are steps: nothing passes.
argmax      = Op("ArgMax", lambda x, axis, dtype: np.argmax(x, axis).astype(dtype))
argmin      = Op("ArgMin", lambda x, axis, dtype: np.argmin(x, axis).astype(dtype))
reduce_all  = Op("All",    lambda x, axis, keepdims: np.logical_and.reduce(x, axis, None, None, keepdims))
reduce_any  = Op("Any",    lambda x, axis, keepdims: np.logical_or.reduce(x, axis, None, None, keepdims))
# fmt: on


def stretch(g: Array | Tensor, y: Value, x: Value, axis: Axis, keepdims: bool) -> Value:
    """Copy the adjoint of a reduced axis along that axis."""
    # what the lines below do, without their detours: nobody records here
    if not isinstance(g, Tensor):
        if not g.ndim:
            return repeated(g, x.shape)
        g = g if keepdims else g.reshape(expanded(g, y, x, axis))
        return repeated(g, g.shape[: g.ndim - x.ndim] + x.shape)
    if g.ndim:
        g = g if keepdims else expand(g, y, x, axis)
        return broadcast_to(g, shape=tuple(g.shape[: g.ndim - len(x.shape)]) + tuple(x.shape))
    return broadcast_to(g, shape=tuple(x.shape))


def share(y: Value, x: Value, axis: Axis, keepdims: bool) -> Value:
    """Return how the largest elements share the adjoint: equally where several are equal, 0 for all
    others.
    """
    top = cast(x == back(y, y, x, axis, keepdims), dtype=numpy_dtype(x))
    return top / reduce_sum(top, axis=axis, keepdims=True)


def sum_of_tiles(g: Value, y: Value, x: Value, multiples: Ints) -> Value:
    """Return the sum of the adjoints of all copies."""
    both = [n for pair in zip(multiples, x.shape) for n in pair]
    return reduce_sum(
        reshape(g, shape=lead(g, y) + tuple(both)),
        axis=tuple(range(-2 * x.ndim, 0, 2)),
        keepdims=False,
    )
