"""The kernels of functions that NumPy does not have: erf, the logarithm of the gamma function and
its derivatives.

All of them work on whole arrays, inside in double precision, and return the dtype they were given.
Sources: DLMF, the digital library of mathematical functions (sections 5.11 and 5.15 for gamma, 7.6
and 7.12 for erf, 25.11 for zeta).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...base.aliases import Array

SLOPE = 2 / math.sqrt(math.pi)  # the slope of erf at 0
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # B2, B4, ... B14


def double(kernel: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return the kernel for any floating dtype: computed in double precision, given back in the
    dtype of the input.
    """

    def same_dtype(x: Array) -> Array:
        return np.asarray(kernel(np.asarray(x, np.float64))).astype(x.dtype)[()]

    same_dtype.__name__, same_dtype.__doc__ = kernel.__name__, kernel.__doc__
    return same_dtype


def scaled_erfc(x: Array) -> Array:
    """Return exp(x*x) * erfc(x) for x >= 1: a continued fraction (DLMF 7.9.1), evaluated from its
    far end.
    """
    tail = np.zeros_like(x)
    for k in range(60, 0, -1):
        tail = k / 2 / (x + tail)
    return 1 / (math.sqrt(math.pi) * (x + tail))


def near_erf(x: Array) -> Array:
    """Return erf(x) for |x| <= 2 by its series without cancellation (DLMF 7.6.2)."""
    square, term = x * x, np.ones_like(x)
    total = term.copy()
    for k in range(1, 40):
        term = term * (square * (2 / (2 * k + 1)))
        total = total + term
    return SLOPE * x * np.exp(-square) * total


@double
def erf(x: Array) -> Array:
    """Return the error function."""
    far = np.clip(np.abs(x), 2, 30)
    y = np.where(
        np.abs(x) <= 2,
        near_erf(np.clip(x, -2, 2)),
        np.sign(x) * (1 - np.exp(-far * far) * scaled_erfc(far)),
    )
    return np.where(np.isnan(x), x, y)


@double
def erfc(x: Array) -> Array:
    """Return 1 - erf(x), exact also where that is tiny."""
    far = np.clip(np.abs(x), 2, 30)
    tail = np.exp(-far * far) * scaled_erfc(far)
    y = np.where(np.abs(x) <= 2, 1 - near_erf(np.clip(x, -2, 2)), np.where(x > 0, tail, 2 - tail))
    return np.where(np.isnan(x), x, y)


@double
def erfinv(x: Array) -> Array:
    """Return the number whose erf is x: a first guess (Winitzki 2008), then three steps of Newton's
    method.
    """
    inside = np.clip(x, -1 + 1e-16, 1 - 1e-16)
    w = np.log1p(-inside * inside)
    a = 2 / (math.pi * 0.147) + w / 2
    y = np.sign(inside) * np.sqrt(np.sqrt(a * a - w / 0.147) - a)
    for _ in range(3):
        error = np.where(y > 0, -(erfc(y) - (1 - inside)), erfc(-y) - (1 + inside))
        step = error / (SLOPE * np.exp(-y * y))
        y = y - step / (1 + y * step)
    return np.where(np.abs(x) < 1, y, np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan))


@double
def lgamma(x: Array) -> Array:
    """Return log |gamma(x)|: Stirling's series above 10, the recurrence below, the reflection for
    negative numbers.
    """
    negative = x < 0.5
    z = np.where(negative, 1 - x, x)
    product, w = np.ones_like(z), z
    for _ in range(10):
        low = w < 10
        product, w = np.where(low, product * w, product), np.where(low, w + 1, w)
    series = sum(b / (2 * k * (2 * k - 1) * w ** (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))
    y = (w - 0.5) * np.log(w) - w + 0.5 * math.log(2 * math.pi) + series - np.log(product)
    y = np.where(np.isinf(x), np.inf, y)
    poles = (x <= 0) & (x == np.floor(x))
    mirrored = np.log(math.pi / np.abs(np.sin(math.pi * (x - np.round(x))))) - y
    return np.where(poles, np.inf, np.where(negative & ~np.isinf(x), mirrored, y))


@double
def digamma(x: Array) -> Array:
    """Return the slope of lgamma: its series above 10, the recurrence below, the reflection for
    negative numbers.
    """
    negative = x < 0.5
    z = np.where(negative, 1 - x, x)
    shift, w = np.zeros_like(z), z
    for _ in range(10):
        low = w < 10
        shift, w = np.where(low, shift + 1 / w, shift), np.where(low, w + 1, w)
    y = (
        np.log(w)
        - 0.5 / w
        - sum(b / (2 * k * w ** (2 * k)) for k, b in enumerate(BERNOULLI, 1))
        - shift
    )
    mirrored = y - math.pi / np.tan(math.pi * (x - np.round(x)))
    poles = (x <= 0) & (x == np.floor(x))
    return np.where(poles, np.nan, np.where(negative, mirrored, y))


def zeta(s: Array, q: Array) -> Array:
    """Return Hurwitz's zeta function, the sum of (q + k) ** -s over k >= 0, by Euler and Maclaurin
    (DLMF 25.11.5).
    """
    lowest = np.min(q, initial=0.0, where=np.isfinite(q))
    terms = 12 + int(min(-lowest, 2000))
    total = sum((q + k) ** -s for k in range(terms))
    w = q + terms
    total = total + w ** (1 - s) / (s - 1) + 0.5 * w**-s
    factor = s * w ** (-s - 1) / 2
    for k, b in enumerate(BERNOULLI, 1):
        total = total + b * factor
        factor = factor * ((s + 2 * k - 1) * (s + 2 * k)) / ((2 * k + 1) * (2 * k + 2) * w * w)
    return total


def polygamma(a: Array, x: Array) -> Array:
    """Return the derivative of order `a` of digamma at x; there is one of whole orders only."""
    n, z = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    order = np.where(n > 0, n, 1)
    high = np.where(order % 2 == 0, -1, 1) * np.exp(lgamma(order + 1)) * zeta(order + 1, z)
    high = np.where((n < 0) | (n != np.floor(n)), np.nan, high)
    return np.where(n == 0, digamma(z), high).astype(np.result_type(x))[()]
