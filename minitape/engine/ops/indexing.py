"""Indexing: gather, scatter and segment sums.

Gather and scatter are each other's transpose: an element that was read at an index sends its
adjoint back to that index, and where an index was read twice, both adjoints are summed. The indices
themselves are integers and have no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.aliases import Array, Ints, Value
from .elementwise import cast, numpy_dtype, select
from .record import Op
from .shaping import ALL, front

# fmt: off
gather = Op("GatherV2", lambda x, ids, axis: looked_up(x, ids, axis),
            lambda g, y, x, ids, axis: segment_sum(g, ids, num=x.shape[axis], axis=axis), None, mixed=True)
segment_sum = Op("UnsortedSegmentSum", lambda x, ids, num, axis: summed(x, ids, num, axis),
            lambda g, y, x, ids, num, axis: gather(g, ids, axis=axis), None, mixed=True)

gather_nd = Op("GatherNd", lambda x, places, skip=0: flat(x, places, skip)[(ALL,) * skip + (numbers(places, x.shape[skip:]),)],
            lambda g, y, x, places, skip=0: scatter_nd(g, places, shape=tuple(x.shape[skip:]), skip=skip + front(g, y)), None,
            mixed=True)
scatter_nd = Op("ScatterNd", lambda x, places, shape, skip=0: scattered(x, places, shape, skip),
            lambda g, y, x, places, shape, skip=0: gather_nd(g, places, skip=skip + front(g, y)), None, mixed=True)

scatter_update = Op("TensorScatterUpdate", lambda x, places, new: written(np.ndarray.__setitem__, x, places, new),
            lambda g, y, x, places, new: select(touched(x, places), 0, g), None,
            lambda g, y, x, places, new: gather_nd(g, places, skip=front(g, y)), mixed=True)
scatter_add = Op("TensorScatterAdd", lambda x, places, new: x + scattered(new, places, x.shape, 0),
            lambda g, y, x, places, new: g, None,
            lambda g, y, x, places, new: gather_nd(g, places, skip=front(g, y)), mixed=True)
scatter_sub = Op("TensorScatterSub", lambda x, places, new: x - scattered(new, places, x.shape, 0),
            lambda g, y, x, places, new: g, None,
            lambda g, y, x, places, new: -gather_nd(g, places, skip=front(g, y)), mixed=True)
scatter_max = Op("TensorScatterMax", lambda x, places, new: written(np.maximum, x, places, new),
            lambda g, y, x, places, new: g * own_share(y, x, places, new), None,
            lambda g, y, x, places, new: gather_nd(g, places, skip=front(g, y)) * share_of_new(y, x, places, new),
            mixed=True)
scatter_min = Op("TensorScatterMin", lambda x, places, new: written(np.minimum, x, places, new),
            lambda g, y, x, places, new: g * own_share(y, x, places, new), None,
            lambda g, y, x, places, new: gather_nd(g, places, skip=front(g, y)) * share_of_new(y, x, places, new),
            mixed=True)

where = Op("Where", lambda c: np.argwhere(c).astype(np.int64, copy=False))
one_hot = Op("OneHot", lambda ids, on, off, depth, axis: hot(ids, on, off, depth, axis), mixed=True)
# fmt: on


def checked(ids: Array, length: int) -> Array:
    """Return the places; raises IndexError where one is not in [0, length)."""
    if ids.size and (np.min(ids) < 0 or np.max(ids) >= length):
        bad = np.argwhere((ids < 0) | (ids >= length))[0]
        raise IndexError(
            f"indices{bad.tolist() if len(bad) else ''} = {ids[tuple(bad)]} is not in [0, {length})"
        )
    return ids


def looked_up(x: Array, ids: Array, axis: int) -> Array:
    """Return the slices of `x` at the places `ids` of one axis."""
    return np.take(x, checked(ids, x.shape[axis]).astype(np.intp, copy=False), axis)


def summed(x: Array, ids: Array, num: int, axis: int) -> Array:
    """Return the sums of the slices that share a place. Sorted first: many times quicker than
    np.add.at.
    """
    behind = x.shape[x.ndim + axis + 1 :]
    before = x.shape[: x.ndim - len(behind) - ids.ndim]
    out = np.zeros(before + (num,) + behind, x.dtype)
    if not x.size:
        return out
    checked(ids, num)
    rows = x.reshape((-1, ids.size, int(np.prod(behind))))
    flat = out.reshape((rows.shape[0], num, rows.shape[2]))
    places = ids.ravel()
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
    flat[:, places[starts]] = np.add.reduceat(rows.take(order, 1), starts, 1, x.dtype)
    return out


def flat(x: Array, places: Array, skip: int) -> Array:
    """Return `x` with the axes that a place names joined to one."""
    k = places.shape[-1]
    return x.reshape(
        x.shape[:skip] + (int(np.prod(x.shape[skip : skip + k])),) + x.shape[skip + k :]
    )


def numbers(places: Array, shape: Ints) -> Array:
    """Return each place as one number in the joined axes; raises IndexError where it lies outside."""
    flat = np.zeros(places.shape[:-1], np.int64)
    for k in range(places.shape[-1]):
        flat = flat * shape[k] + checked(places[..., k], shape[k])
    return flat


def scattered(x: Array, places: Array, shape: Ints, skip: int) -> Array:
    """Return zeros of a shape with the slices of `x` added at their places."""
    k = places.shape[-1]
    rest = tuple(shape[k:])
    flat = summed(x, np.asarray(numbers(places, shape)), int(np.prod(shape[:k])), -1 - len(rest))
    return flat.reshape(x.shape[:skip] + tuple(shape))


def written(how: Any, x: Array, places: Array, new: Array) -> Array:
    """Return a copy of `x` with something written at the places."""
    out = np.array(x, np.result_type(x, new))  # strings: as wide as the longest
    joined = flat(out, places, 0)
    at = numbers(places, x.shape)
    if how is np.ndarray.__setitem__:
        joined[at] = new
    else:
        how.at(joined, at, new)
    return out


def touched(x: Value, places: Value) -> Array:
    """Return True where a place was written."""
    at: Any = getattr(places, "value", places)
    shape = tuple(x.shape)
    return scattered(np.ones(at.shape[:-1] + shape[at.shape[-1] :]), at, shape, 0) > 0


def own_share(y: Value, x: Value, places: Value, new: Value) -> Value:
    """Return the share of `x` in an extreme: all that are equal to it share the adjoint."""
    own, theirs = winners(y, x, places, new)
    return own / (own + scatter_nd(theirs, places, shape=tuple(x.shape)))


def share_of_new(y: Value, x: Value, places: Value, new: Value) -> Value:
    """Return the share of each update in an extreme."""
    own, theirs = winners(y, x, places, new)
    return theirs / gather_nd(own + scatter_nd(theirs, places, shape=tuple(x.shape)), places)


def winners(y: Value, x: Value, places: Value, new: Value) -> tuple[Value, Value]:
    """Return 1 where `x`, and where an update, is equal to the extreme."""
    return cast(x == y, dtype=numpy_dtype(x)), cast(
        new == gather_nd(y, places), dtype=numpy_dtype(x)
    )


def hot(ids: Array, on: Array, off: Array, depth: int, axis: int) -> Array:
    """Return `on` at the place that each id names along a new axis, `off` elsewhere."""
    return np.where(
        np.expand_dims(ids, axis)
        == np.arange(depth).reshape([-1] + [1] * (ids.ndim - (axis % (ids.ndim + 1)))),
        on,
        off,
    )
