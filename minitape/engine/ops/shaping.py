"""The same numbers in another arrangement: reshape, transpose, stretch, stack."""

import numpy as np

from ..record import Op

reshape      = Op("Reshape", lambda x, shape: np.reshape(x, shape), lambda g, y, x, shape: reshape(g, shape=tuple(x.shape)))
broadcast_to = Op("BroadcastTo", lambda x, shape: np.broadcast_to(x, shape), lambda g, y, x, shape: g)
transpose    = Op("Transpose", lambda x, perm: np.transpose(x, perm),
                  lambda g, y, x, perm: transpose(g, perm=inverse(perm)))
stack        = Op("Pack", lambda *xs, axis: np.stack(xs, axis), each=lambda i, g, y, *xs, axis: take(g, index=i, axis=axis))
take         = Op("Take", lambda x, index, axis: np.take(x, index, axis),
                  lambda g, y, x, index, axis: put(g, index=index, axis=axis, length=x.shape[axis]))
put          = Op("Put", lambda x, index, axis, length: placed(x, index, axis, length),
                  lambda g, y, x, index, axis, length: take(g, index=index, axis=axis))


def expand(g, x, axis):
    """Return `g` with axes of length 1 where `x` was reduced."""
    axes = range(x.ndim) if axis is None else [a % x.ndim for a in (axis if isinstance(axis, tuple) else (axis,))]
    return reshape(g, shape=tuple([1 if k in axes else n for k, n in enumerate(x.shape)]))


def inverse(perm):
    """Return the order of axes that undoes `perm`."""
    return None if perm is None else tuple([int(k) for k in np.argsort(perm)])


def placed(x, index, axis, length):
    """Return zeros with `x` at one position of a new axis."""
    axis %= x.ndim + 1
    out = np.zeros(x.shape[:axis] + (length,) + x.shape[axis:], x.dtype)
    out[(slice(None),) * axis + (index,)] = x
    return out
