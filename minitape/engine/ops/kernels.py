"""Kernels of the common rows that take more than one call of NumPy.

A kernel computes with bare arrays and knows nothing of derivatives. Most rows need no more than a
function such as `np.exp`. The others are here, with the reason: to avoid overflow, to return
TensorFlow's dtype, or to be faster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from ..base.aliases import Array, Axis, Value

# ---- element by element


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + exp(-x)) without overflow: by tanh for real numbers."""
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def softplus(x: Array) -> Array:
    """Return log(1 + exp(x)) without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def times_no_nan(a: Array, b: Array) -> Array:
    """Return a * b, and 0 where b is 0, whatever a is."""
    y, nothing = a * b, b == 0
    return np.where(nothing, y.dtype.type(0), y) if nothing.any() else y


def converted(x: Array, dtype: Any) -> Array:
    """Return x in another dtype; of a complex number the real part counts, for truth values too."""
    return (x.real if x.dtype.kind == "c" and np.dtype(dtype).kind != "c" else x).astype(dtype)


def powers(a: Array, b: Array) -> Array:
    """Return a ** b. For a power of 0.5 NumPy takes the square root, which is another of -inf and of
    -0.0.
    """
    if not b.ndim and b == 0.5 and a.dtype.kind == "f":
        a = np.where(a == -np.inf, -a, a + a.dtype.type(0))
    return a**b


def quotient(a: Array, b: Array) -> Array:
    """Return a / b; of integers, float64 (float32 where they have at most 16 bits)."""
    y = a / b
    return (
        y
        if y.dtype is a.dtype or a.dtype.kind not in "iu" or a.dtype.itemsize > 2
        else y.astype(np.float32)
    )


def divisor(a: Array, b: Array) -> Array:
    """Return `b`, which `a` is divided by; raises ValueError for an integer 0, as TensorFlow does
    where there is something to divide.
    """
    if b.dtype.kind in "iu" and a.size and not np.all(b):
        raise ValueError(
            "Integer division by zero. Use tf.math.divide_no_nan or floats, which give inf."
        )
    return b


# ---- many numbers in, fewer out


def count(x: Value, axis: Axis) -> int:
    """Return how many numbers were reduced to one."""
    if axis is None:
        return prod(x.shape)
    n = 1
    for a in (axis,) if isinstance(axis, int) else axis:
        n *= x.shape[a]
    return n


LEADING = {n: tuple(range(n - 1)) for n in range(2, 8)}  # all axes but the last


def total(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the sum: np.sum without its detours.

    Over all axes but the last (the gradient of a bias), a product with ones is up to thirty times
    quicker.
    """
    if (
        x.size > 256
        and x.dtype.kind == "f"
        and x.itemsize > 2
        and not keepdims
        and x.flags.c_contiguous
        and (axis == 0 and x.ndim == 2 or axis.__class__ is tuple and axis == LEADING.get(x.ndim))
    ):
        return ones(x.size // x.shape[-1], x.dtype).dot(x.reshape(-1, x.shape[-1]))
    return np.add.reduce(x, axis, x.dtype, None, keepdims)


def ones(n: int, dtype: np.dtype) -> Array:
    """Return n ones: a product with them is a sum. Few are kept for the next time."""
    return kept_ones(n, dtype) if n <= 4096 else np.ones(n, dtype)


@lru_cache(maxsize=32)
def kept_ones(n: int, dtype: np.dtype) -> Array:
    y = np.ones(n, dtype)
    y.flags.writeable = False
    return y


def mean(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the mean: a whole number for integers, as in TensorFlow; float16 is summed in float32."""
    # of nothing at all the mean is NaN, or 0
    n = count(x, axis) if x.dtype.kind == "f" else max(count(x, axis), 1)
    if x.dtype.kind in "fc" and x.dtype.itemsize > 2:
        return np.add.reduce(x, axis, None, None, keepdims) / x.dtype.type(n)
    wide = np.float32 if x.dtype.kind == "f" else np.float64
    return np.asarray(np.add.reduce(x, axis, wide, None, keepdims) / wide(n)).astype(x.dtype)


def extreme(ufunc: np.ufunc) -> Callable[..., Array]:
    """Return the kernel of max or min; over nothing at all it gives the value that loses against
    any other.
    """

    def kernel(x: Array, axis: Axis, keepdims: bool) -> Array:
        if not x.size:
            info = np.finfo(x.dtype) if x.dtype.kind == "f" else np.iinfo(x.dtype)
            last = (
                (-np.inf if x.dtype.kind == "f" else info.min)
                if ufunc is np.maximum
                else np.inf
                if x.dtype.kind == "f"
                else info.max
            )
            return ufunc.reduce(x, axis, None, None, keepdims, last)  # type: ignore[call-arg]
        return ufunc.reduce(x, axis, None, None, keepdims)  # type: ignore[call-arg]

    return kernel


def log_sum_exp(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return log(sum(exp(x))), with the largest number taken out first so that nothing overflows."""
    top = np.max(x, axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    y = np.log(np.sum(np.exp(x - top), axis, keepdims=True)) + top
    return y if keepdims else np.squeeze(y, axis)
