"""Many numbers in, fewer out: sum, mean, maximum and their relatives along axes."""

import numpy as np

from ..record import Op
from .shaping import broadcast_to, expand


def stretch(g, x, axis, keepdims):
    """Copy the adjoint of a reduced axis back along that axis: the reverse of a sum is a copy."""
    return broadcast_to(g if keepdims else expand(g, x, axis), shape=tuple(x.shape))


def count(x, axis):
    """Return how many numbers were reduced to one."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return int(np.prod([x.shape[a] for a in axes]))


reduce_sum  = Op("Sum",  np.sum,  lambda g, y, x, axis, keepdims: stretch(g, x, axis, keepdims))
reduce_mean = Op("Mean", np.mean, lambda g, y, x, axis, keepdims: stretch(g, x, axis, keepdims) / count(x, axis))
