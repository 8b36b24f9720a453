"""Order and groups: sort, the largest k, what occurs and how often, the extremes of segments.

Sorting is a step: the order stays the same for small changes, so the rules only carry each adjoint
back to the place that its number came from. Where several numbers of a segment are the largest,
they share the adjoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..elementwise import cast, numpy_dtype
from ..indexing import checked, gather, segment_sum
from ..record import UNREGISTERED, Op
from .divisions import divide_no_nan

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ...base.aliases import Array, Value

# fmt: off
take_along = Op("TakeAlong", lambda x, ids: np.take_along_axis(x, wide(ids, x), -1),
            lambda g, y, x, ids: put_along(g, ids, length=x.shape[-1]), None, mixed=True)
put_along = Op("PutAlong", lambda x, ids, length: spread(x, ids, length),
            lambda g, y, x, ids, length: take_along(g, ids), None, mixed=True)
top_k = Op("TopK", lambda x, k, dtype: largest(x, k, dtype),
            lambda g, y, x, k, dtype: put_along(g[0], y[1], length=x.shape[-1]))
argsort = Op("ArgSort", lambda x, axis, descending: order_of(x, axis, descending).astype(np.int32))

segment_max = Op("UnsortedSegmentMax", lambda x, ids, num: extreme(np.maximum, x, ids, num),
            lambda g, y, x, ids, num: shared(g, y, x, ids, num), None, mixed=True)
segment_min = Op("UnsortedSegmentMin", lambda x, ids, num: extreme(np.minimum, x, ids, num),
            lambda g, y, x, ids, num: shared(g, y, x, ids, num), None, mixed=True)

unique = Op("Unique", lambda x, dtype: first_seen(x, dtype), UNREGISTERED)
in_top_k = Op("InTopKV2", lambda x, ids, k: among(x, ids, k), mixed=True)
confusion = Op("ConfusionMatrix", lambda a, b, length, dtype, share: pairs_counted(a, b, length, dtype, share), mixed=True)
# fmt: on


def extreme(ufunc: np.ufunc, x: Array, ids: Array, num: int) -> Array:
    """Return the largest or smallest slice of each place, the dtype's own limit where there is
    none.
    """
    info = np.finfo(x.dtype) if x.dtype.kind == "f" else np.iinfo(x.dtype)
    out = np.full(
        (num,) + x.shape[ids.ndim :], info.min if ufunc is np.maximum else info.max, x.dtype
    )
    ufunc.at(out, checked(ids, num), x)
    return out


def shared(g: Value, y: Value, x: Value, ids: Value, num: int) -> Value:
    """Return the parts of a segment's extreme: elements equal to it share the adjoint."""
    axis = ids.ndim - 1 - x.ndim
    top = cast(x == gather(y, ids, axis=axis), dtype=numpy_dtype(g))
    return gather(divide_no_nan(g, segment_sum(top, ids, num=num, axis=axis)), ids, axis=axis) * top


def wide(ids: Array, x: Array) -> Array:
    """Return the places for all leading axes of `x`."""
    return np.broadcast_to(ids, x.shape[:-1] + ids.shape[-1:])


def spread(x: Array, ids: Array, length: int) -> Array:
    """Return zeros with the elements of `x` at their places along the last axis; each place is
    named once.
    """
    out = np.zeros(x.shape[:-1] + (length,), x.dtype)
    np.put_along_axis(out, wide(ids, x), x, -1)
    return out


def order_of(x: Array, axis: int, descending: bool) -> Array:
    """Return the order that sorts; equal elements keep their order."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


def largest(x: Array, k: int, dtype: DTypeLike) -> tuple[Array, Array]:
    """Return the k largest elements of the last axis, the largest first, and their places."""
    ids = order_of(x, -1, True)[..., :k]
    return np.take_along_axis(x, ids, -1), ids.astype(dtype)


def among(x: Array, ids: Array, k: int) -> Array:
    """Tell for each line whether the element at its place is among the k largest."""
    known = (ids >= 0) & (ids < x.shape[-1])  # no other place is ever among them
    own = np.take_along_axis(x, np.where(known, ids, 0)[..., None], -1)
    return (np.sum(x > own, axis=-1) < k) & np.isfinite(own[..., 0]) & known


def pairs_counted(a: Array, b: Array, length: int, dtype: DTypeLike, share: Array | float) -> Array:
    """Return how often each number of `a` (row) stands beside each of `b` (column); each pair
    counts as its share.
    """
    out = np.zeros((length, length), dtype)
    np.add.at(out, (a.astype(np.int64), b.astype(np.int64)), share)
    return out


def first_seen(x: Array, dtype: DTypeLike) -> tuple[Array, Array]:
    """Return the different elements in the order of their first appearance, and for each element
    the number of its value.
    """
    values, first, ids = np.unique(x, return_index=True, return_inverse=True, equal_nan=False)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return values[order], rank[ids.ravel()].astype(dtype)
