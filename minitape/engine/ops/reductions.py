"""Many numbers in, fewer out: sum, mean, maximum and their relatives along axes; running sums.

The reverse of a sum is a copy. In the rules, the axis that was reduced is first given back with length 1 (`back`),
then the adjoint is copied along it (`stretch`).
"""

from functools import lru_cache
from math import prod

import numpy as np

from ..record import Op
from ..tensor import Tensor
from .arithmetic import divide_no_nan
from .elementwise import cast, exp, itself, numpy_dtype, only_real
from .shaping import broadcast_to, expand, expanded, from_the_end, repeated, reshape, transpose


def count(x, axis):
    """Return how many numbers were reduced to one."""
    if axis is None:
        return prod(x.shape)
    n = 1
    for a in (axis,) if isinstance(axis, int) else axis:
        n *= x.shape[a]
    return n


LEADING = {n: tuple(range(n - 1)) for n in range(2, 8)}       # all axes but the last


def total(x, axis, keepdims):
    """Return the sum: np.sum without its detours.

    Over all axes but the last (the gradient of a bias), a product with ones is up to thirty times quicker.
    """
    if x.size > 256 and x.dtype.kind == "f" and x.itemsize > 2 and not keepdims and x.flags.c_contiguous and (
            axis == 0 and x.ndim == 2 or axis.__class__ is tuple and axis == LEADING.get(x.ndim)):
        return np.dot(ones(x.size // x.shape[-1], x.dtype), x.reshape(-1, x.shape[-1]))
    return np.add.reduce(x, axis, x.dtype, None, keepdims)


def ones(n, dtype):
    """Return n ones: a product with them is a sum. Few are kept for the next time."""
    return kept_ones(n, dtype) if n <= 4096 else np.ones(n, dtype)


@lru_cache(maxsize=32)
def kept_ones(n, dtype):
    y = np.ones(n, dtype)
    y.flags.writeable = False
    return y


def mean(x, axis, keepdims):
    """Return the mean: a whole number for integers, as in TensorFlow; float16 is summed in float32."""
    n = count(x, axis)
    if x.dtype.kind in "fc" and x.dtype.itemsize > 2:
        return np.add.reduce(x, axis, None, None, keepdims) / x.dtype.type(n)
    wide = np.float32 if x.dtype.kind == "f" else np.float64
    return np.asarray(np.add.reduce(x, axis, wide, None, keepdims) / wide(n)).astype(x.dtype)


def extreme(ufunc):
    """Return the kernel of max or min; over nothing at all it gives the value that loses against any other."""
    def kernel(x, axis, keepdims):
        if not x.size:
            info = np.finfo(x.dtype) if x.dtype.kind == "f" else np.iinfo(x.dtype)
            last = (-np.inf if x.dtype.kind == "f" else info.min) if ufunc is np.maximum else np.inf if x.dtype.kind == "f" else info.max
            return ufunc.reduce(x, axis, None, None, keepdims, last)
        return ufunc.reduce(x, axis, None, None, keepdims)
    return kernel


def log_sum_exp(x, axis, keepdims):
    """Return log(sum(exp(x))), with the largest number taken out first so that nothing overflows."""
    top = np.max(x, axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    y = np.log(np.sum(np.exp(x - top), axis, keepdims=True)) + top
    return y if keepdims else np.squeeze(y, axis)


def product(x, axis, keepdims):
    """Return the product."""
    return np.multiply.reduce(x, axis, x.dtype, None, keepdims)


def length(x, axis, keepdims):
    """Return the square root of the sum of squares, of complex numbers that of their lengths."""
    squares = x * x if x.dtype.kind != "c" else x * np.conj(x)
    return np.asarray(np.sqrt(np.add.reduce(squares, axis, x.dtype, None, keepdims))).astype(x.dtype, copy=False)


def running(ufunc):
    """Return the kernel of a running sum or product; `exclusive` leaves the element itself out."""
    def kernel(x, axis, exclusive, reverse):
        x = np.flip(x, axis) if reverse else x
        y = ufunc.accumulate(x, axis)
        if exclusive and x.shape[axis]:
            nothing = ufunc.identity if ufunc is not np.logaddexp else np.finfo(x.dtype).min
            y = np.concatenate([np.full_like(np.take(y, [0], axis), nothing), np.delete(y, -1, axis)], axis)
        return (np.flip(y, axis) if reverse else y).astype(x.dtype, copy=False)
    return kernel


reduce_sum  = Op("Sum",    total,               lambda g, y, x, **how: stretch(g, y, x, **how), batched=True)
reduce_mean = Op("Mean",   mean,                lambda g, y, x, **how: stretch(g / count(x, how["axis"]), y, x, **how), batched=True)
reduce_max  = Op("Max",    extreme(np.maximum), lambda g, y, x, **how: back(g, y, x, **how) * share(y, x, **how), batched=True)
reduce_min  = Op("Min",    extreme(np.minimum), lambda g, y, x, **how: back(g, y, x, **how) * share(y, x, **how), batched=True)
reduce_prod = Op("Prod",   product,             lambda g, y, x, **how: back(g, y, x, **how) * others(x, how["axis"]), batched=True)
euclidean_norm = Op("EuclideanNorm", length,
                    lambda g, y, x, **how: back(only_real(g), y, x, **how) * (itself(x) / back(y, y, x, **how)), batched=True)
logsumexp   = Op("LogSumExp", log_sum_exp,      lambda g, y, x, **how: back(g, y, x, **how) * exp(x - back(y, y, x, **how)), batched=True)

cumsum      = Op("Cumsum",  running(np.add),      lambda g, y, x, **how: cumsum(g, **backwards(x, **how)), batched=True)
cumprod     = Op("Cumprod", running(np.multiply), lambda g, y, x, **how: divide_no_nan(cumsum(g * y, **backwards(x, **how)), x),
                 batched=True)
cumulative_logsumexp = Op("CumulativeLogsumexp", running(np.logaddexp),
                 lambda g, y, x, **how: exp(x - peak(x, how["axis"])) * cumsum(g * exp(peak(x, how["axis"]) - y), **backwards(x, **how)),
                 batched=True)

# The place of the largest element, and yes or no, are steps: nothing passes.
argmax      = Op("ArgMax", lambda x, axis, dtype: np.argmax(x, axis).astype(dtype))
argmin      = Op("ArgMin", lambda x, axis, dtype: np.argmin(x, axis).astype(dtype))
reduce_all  = Op("All",    lambda x, axis, keepdims: np.logical_and.reduce(x, axis, None, None, keepdims))
reduce_any  = Op("Any",    lambda x, axis, keepdims: np.logical_or.reduce(x, axis, None, None, keepdims))


def back(g, y, x, axis, keepdims):
    """Give a reduced axis back to an adjoint, with length 1."""
    return g if keepdims else expand(g, y, x, axis)


def stretch(g, y, x, axis, keepdims):
    """Copy the adjoint of a reduced axis along that axis."""
    if type(g) is not Tensor:                 # what the lines below do, without their detours: nobody records here
        if not g.ndim:
            return repeated(g, x.shape)
        g = g if keepdims else g.reshape(expanded(g, y, x, axis))
        return repeated(g, g.shape[:g.ndim - x.ndim] + x.shape)
    if g.ndim:
        g = g if keepdims else expand(g, y, x, axis)
        return broadcast_to(g, shape=tuple(g.shape[:g.ndim - len(x.shape)]) + tuple(x.shape))
    return broadcast_to(g, shape=tuple(x.shape))


def share(y, x, axis, keepdims):
    """Return how the largest elements share the adjoint: equally where several are equal, 0 for all others."""
    top = cast(x == back(y, y, x, axis, keepdims), dtype=numpy_dtype(x))
    return top / reduce_sum(top, axis=axis, keepdims=True)


def backwards(x, axis, exclusive, reverse):
    """Return how the running sum of the adjoint goes: from the other side."""
    return {"axis": from_the_end(axis, x), "exclusive": exclusive, "reverse": not reverse}


def others(x, axis):
    """Return for each element the product of all the others along the axes, also where some are zero."""
    n = len(x.shape)
    axes = list(range(n)) if axis is None else sorted([a % n for a in (axis if isinstance(axis, tuple) else (axis,))])
    kept = [k for k in range(n) if k not in axes]
    order = kept + axes
    turned = transpose(x, perm=tuple(order))
    flat = reshape(turned, shape=tuple([x.shape[k] for k in kept]) + (count(x, tuple(axes)),))
    product = cumprod_of_others(flat)
    return transpose(reshape(product, shape=tuple(turned.shape)), perm=tuple(sorted(range(n), key=order.__getitem__)))


def cumprod_of_others(x):
    """Return the product of all that stand before times the product of all that stand behind, along the last axis."""
    return cumprod(x, axis=-1, exclusive=True, reverse=False) * cumprod(x, axis=-1, exclusive=True, reverse=True)


def peak(x, axis):
    """Return the largest number along an axis, as a constant."""
    x = getattr(x, "value", x)
    return np.max(x, axis, keepdims=True, initial=np.finfo(x.dtype).min)
