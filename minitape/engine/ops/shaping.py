"""Rearrangement: reshape, transpose, broadcast, stack, split, slice, pad and roll.

Nothing is computed here, so the rules only move the adjoint back to where the numbers came from:
the rule of `stack` cuts slices, the rule of a slice pads with zeros. `front(g, y)` is the
number of extra axes in front of an adjoint: 0, or 1 where the rows of a Jacobian are played at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.aliases import Array, Axis, Ints, Value, ValueT
from .record import Op, passed_on

ALL = slice(None)

# fmt: off
reshape      = Op("Reshape",      lambda x, shape: x.reshape(shape),
                  lambda g, y, x, shape: reshape(g, shape=lead(g, y) + tuple(x.shape)))
broadcast_to = Op("BroadcastTo",  lambda x, shape: stretched(x, shape),
                  passed_on)
transpose    = Op("Transpose",    lambda x, perm: x.transpose(perm),
                  lambda g, y, x, perm: transpose(g, perm=inverse(perm, g, y)))
bitcast      = Op("Bitcast",      lambda x, dtype, shape: np.frombuffer(x.tobytes(), dtype).reshape(shape))
stack        = Op("Pack",         lambda *xs, axis: np.stack(xs, axis),
                  each=lambda i, g, y, xs, axis: index(g, key=along(axis, i, y)))
unstack      = Op("Unpack",       lambda x, axis: tuple(np.moveaxis(x, axis, 0)),
                  lambda g, y, x, axis: stack(*g, axis=from_the_end(axis, x)))
concat       = Op("Concat",       lambda *xs, axis: np.concatenate(xs, axis),
                  each=lambda i, g, y, xs, axis: index(g, key=along(axis, place(xs, i, axis), y)))
split        = Op("Split",        lambda x, sizes, axis: tuple(np.split(x, np.cumsum(sizes)[:-1], axis)),
                  lambda g, y, x, sizes, axis: concat(*g, axis=from_the_end(axis, x)))
index        = Op("StridedSlice", lambda x, key: x[key],
                  lambda g, y, x, key: unindex(g, key=(ALL,) * front(g, y) + key, shape=lead(g, y) + tuple(x.shape)))
unindex      = Op("StridedSliceGrad", lambda x, key, shape: placed(x, key, shape),
                  lambda g, y, x, key, shape: index(g, key=(ALL,) * front(g, y) + key))
slice_assign = Op("StridedSliceAssign", lambda x, new, key: replaced(x, new, key),
                  lambda g, y, x, new, key: g - unindex(index(g, key=key), key=key, shape=tuple(x.shape)),
                  lambda g, y, x, new, key: index(g, key=key), batched=False)
pad          = Op("Pad",          lambda x, paddings, value=0: np.pad(x, paddings, constant_values=value) if x.ndim else x,
                  lambda g, y, x, paddings, value=0: index(g, key=(..., *[slice(a, a + n) for (a, _), n in zip(paddings, x.shape)])))
reverse      = Op("Reverse",      lambda x, axis: np.flip(x, axis),
                  lambda g, y, x, axis: reverse(g, axis=from_the_end(axis, x)))
roll         = Op("Roll",         lambda x, shift, axis: np.roll(x, shift, axis),
                  lambda g, y, x, shift, axis: roll(g, shift=tuple([-s for s in shift]), axis=from_the_end(axis, x)))
# fmt: on


def front(g: Value, y: Value) -> int:
    """Return the number of extra axes in front of an adjoint."""
    return g.ndim - y.ndim


def lead(g: Value, y: Value) -> Ints:
    """Return the lengths of the extra axes in front of an adjoint."""
    return tuple(g.shape[: g.ndim - y.ndim])


def from_the_end(axis: Any, x: Value) -> Any:
    """Return an axis, or several, counted from the end, where extra axes in front do not matter."""
    if isinstance(axis, tuple):
        return tuple([from_the_end(a, x) for a in axis])
    return axis if axis < 0 else axis - x.ndim


def along(axis: int, where: int | slice, y: Value) -> tuple[Any, ...]:
    """Return the key that takes `where`, a number or a slice, along one axis of an adjoint of `y`."""
    return (..., where) + (ALL,) * (-1 - from_the_end(axis, y))


def place(xs: Sequence[Value], i: int, axis: int) -> slice:
    """Return the slice that part i has in the concatenation."""
    start = sum([x.shape[axis] for x in xs[:i]])
    return slice(start, start + xs[i].shape[axis])


def inverse(perm: Ints | None, g: Value, y: Value) -> Ints:
    """Return the order of axes that undoes `perm`, behind the extra axes."""
    extra = g.ndim - y.ndim
    undone = (
        range(y.ndim - 1, -1, -1)
        if perm is None
        else sorted(range(y.ndim), key=[k % y.ndim for k in perm].__getitem__)
    )
    return (*range(extra), *[extra + k for k in undone])


def stretched(x: Array, shape: Ints) -> Array:
    """Return the array repeated along axes of length 1 and new first axes, without a copy."""
    old = x.shape
    extra = len(shape) - len(old)
    if extra < 0 or any([a != b and a != 1 for a, b in zip(old, shape[extra:])]):
        raise ValueError(f"could not broadcast shape {list(old)} to {list(shape)}")
    return repeated(x, shape)


def repeated(x: Array, shape: Ints) -> Array:
    """Return what np.broadcast_to returns, for shapes that are known to fit: quicker for small
    arrays.
    """
    old = x.shape
    if not old:
        # one number everywhere: steps of no bytes
        return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))
    if not x.flags.c_contiguous:
        return np.broadcast_to(x, shape)
    steps = (0,) * (len(shape) - len(old)) + tuple(
        [0 if a == 1 else s for a, s in zip(old, x.strides)]
    )
    y = np.ndarray(shape, x.dtype, x, 0, steps)
    y.flags.writeable = False
    return y


def expanded(g: Value, y: Value, x: Value, axis: Axis) -> Ints:
    """Return the shape of `g` with axes of length 1 where `x` was reduced to `y`."""
    shape = list(x.shape)
    for a in range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        shape[a] = 1
    return (*g.shape[: g.ndim - y.ndim], *shape)


def expand(g: ValueT, y: Value, x: Value, axis: Axis) -> ValueT:
    """Return `g` with axes of length 1 where `x` was reduced to `y`."""
    return reshape(g, shape=expanded(g, y, x, axis))


def back(g: Value, y: Value, x: Value, axis: Axis, keepdims: bool) -> Value:
    """Give a reduced axis back to an adjoint, with length 1."""
    return g if keepdims else expand(g, y, x, axis)


def placed(x: Array, key: Any, shape: Ints) -> Array:
    """Return zeros of this shape with `x` at the key."""
    out = np.zeros(shape, x.dtype)
    out[key] = x
    return out


def replaced(x: Array, new: Array, key: Any) -> Array:
    """Return `x` with `new` at the key. Raises ValueError where it does not fit."""
    y = np.array(x, np.result_type(x, new))  # strings: as wide as the longest
    y[key] = new
    return y[()]


def as_column(x: ValueT) -> ValueT:
    """Return vectors with an axis of length 1 at the end."""
    return reshape(x, shape=tuple(x.shape) + (1,))


def as_row(x: ValueT) -> ValueT:
    """Return vectors as matrices of one row."""
    return reshape(x, shape=tuple(x.shape[:-1]) + (1, x.shape[-1]))
