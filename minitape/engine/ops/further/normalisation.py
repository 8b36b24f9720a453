"""Normalisation: subtract the mean, divide by the standard deviation, along some axes.

Layer and batch normalisation are this row with different axes. Since every number takes part in the
mean and the deviation of all others, the derivative takes away from the adjoint its mean and its
part along `y`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ...base.aliases import Array, Ints, Value
from ..kernels import ones
from ..record import Op
from ..reductions import reduce_mean

MANY = 100_000  # numbers, from which on it pays to ask NumPy for a smaller buffer


@contextmanager
def unbuffered_rows(x: Array) -> Iterator[None]:
    """Let NumPy compute long rows with a column where they lie. It copies rows that fit into its
    buffer (8,192 numbers), which takes longer than the arithmetic.
    """
    if x.size < MANY:
        yield
        return
    before = np.setbufsize(1024)
    try:
        yield
    finally:
        np.setbufsize(before)


def deviation(x: Array, axis: Ints, epsilon: float) -> tuple[Array, Array]:
    """Return the centred numbers and one over their standard deviation (`epsilon` is added to the
    variance).
    """
    centred = x - average(x, axis)
    return centred, 1 / np.sqrt(mean_product(centred, centred, axis) + x.dtype.type(epsilon))


def average(x: Array, axis: Ints) -> Array:
    """Return mean(x) along `axis`; along the last axis a product with ones is the quickest."""
    if axis == (-1,):
        return mean_product(x, ones(x.shape[-1], x.dtype), axis)
    return x.mean(axis, keepdims=True)


def mean_product(a: Array, b: Array, axis: Ints) -> Array:
    """Return mean(a * b) along `axis`; along the last axis without making the product first."""
    if axis == (-1,) and a.dtype.char in "fd":
        return (np.vecdot(a, b) / a.dtype.type(a.shape[-1]))[..., None]
    return (a * b).mean(axis, keepdims=True)


def normalize_kernel(x: Array, axis: Ints, epsilon: float) -> Array:
    with unbuffered_rows(x):
        centred, r = deviation(x, axis, epsilon)
        centred *= r
        return centred


def normalize_grad_kernel(g: Array, x: Array, y: Array, axis: Ints, epsilon: float) -> Array:
    with unbuffered_rows(x):
        centred, r = deviation(x, axis, epsilon)
        # `centred` is not needed any more
        out = centred if g.shape == y.shape else None
        part = np.multiply(y, mean_product(g, y, axis), out=out)
        part += average(g, axis)
        np.subtract(g, part, out=part)
        part *= r
        return part


def mean(x: Value, axis: Ints) -> Value:
    """Return the mean along `axis`, which stays with length 1."""
    return reduce_mean(x, axis=axis, keepdims=True)


def size(x: Value, axis: Ints) -> int:
    """Return how many numbers share one mean."""
    return int(np.prod([x.shape[a] for a in axis]))


# fmt: off
normalize = Op("Normalize", normalize_kernel,
               lambda g, y, x, axis, epsilon: normalize_grad(g, x, y, axis=axis, epsilon=epsilon))
normalize_grad = Op("NormalizeGrad", normalize_grad_kernel,
                    lambda gg, p, g, x, y, axis, epsilon: normalize_grad(gg, x, y, axis=axis, epsilon=epsilon),
                    lambda gg, p, g, x, y, axis, epsilon: -mean(gg * p, axis) * y * inverse_deviation(x, axis=axis, epsilon=epsilon),
                    lambda gg, p, g, x, y, axis, epsilon: -inverse_deviation(x, axis=axis, epsilon=epsilon)
                    * (gg * mean(g * y, axis) + g * mean(gg * y, axis)))
inverse_deviation = Op("InverseDeviation", lambda x, axis, epsilon: deviation(x, axis, epsilon)[1],
                       lambda g, y, x, axis, epsilon: -g * y * y * normalize(x, axis=axis, epsilon=epsilon) / size(x, axis))
# fmt: on
