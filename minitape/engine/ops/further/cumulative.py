"""Running sums and products along an axis, and the product of all, whose rule needs them.

The derivative of a running sum is the running sum of the adjoint from the other side. A product's
derivative along one factor is the product of all the others: a running product from the left times
one from the right, so that zeros among the factors do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.aliases import Array, Axis, Value
from ..kernels import count
from ..record import Op
from ..shaping import back, from_the_end, reshape, transpose
from .divisions import divide_no_nan


def running(ufunc: np.ufunc) -> Callable[..., Array]:
    """Return the kernel of a running sum or product; `exclusive` leaves the element itself out."""

    def kernel(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        x = np.flip(x, axis) if reverse else x
        y = ufunc.accumulate(x, axis)
        if exclusive and x.shape[axis]:
            nothing = ufunc.identity if ufunc is not np.logaddexp else np.finfo(x.dtype).min
            y = np.concatenate(
                [np.full_like(np.take(y, [0], axis), nothing), np.delete(y, -1, axis)], axis
            )
        return (np.flip(y, axis) if reverse else y).astype(x.dtype, copy=False)

    return kernel


# fmt: off
cumsum      = Op("Cumsum",  running(np.add),      lambda g, y, x, **how: cumsum(g, **backwards(x, **how)))
cumprod     = Op("Cumprod", running(np.multiply), lambda g, y, x, **how: divide_no_nan(cumsum(g * y, **backwards(x, **how)), x))
reduce_prod = Op("Prod", lambda x, axis, keepdims: np.multiply.reduce(x, axis, x.dtype, None, keepdims),
                 lambda g, y, x, **how: back(g, y, x, **how) * others(x, how["axis"]))
# fmt: on


def backwards(x: Value, axis: int, exclusive: bool, reverse: bool) -> dict[str, Any]:
    """Return how the running sum of the adjoint goes: from the other side."""
    return {"axis": from_the_end(axis, x), "exclusive": exclusive, "reverse": not reverse}


def others(x: Value, axis: Axis) -> Value:
    """Return for each element the product of all the others along the axes, also where some are
    zero.
    """
    n = len(x.shape)
    axes = (
        list(range(n))
        if axis is None
        else sorted([a % n for a in (axis if isinstance(axis, tuple) else (axis,))])
    )
    kept = [k for k in range(n) if k not in axes]
    order = kept + axes
    turned = transpose(x, perm=tuple(order))
    flat = reshape(turned, shape=tuple([x.shape[k] for k in kept]) + (count(x, tuple(axes)),))
    product = cumprod_of_others(flat)
    return transpose(
        reshape(product, shape=tuple(turned.shape)),
        perm=tuple(sorted(range(n), key=order.__getitem__)),
    )


def cumprod_of_others(x: Value) -> Value:
    """Return the product of all that stand before times the product of all that stand behind, along
    the last axis.
    """
    return cumprod(x, axis=-1, exclusive=True, reverse=False) * cumprod(
        x, axis=-1, exclusive=True, reverse=True
    )
