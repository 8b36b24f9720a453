"""Normalisation: mean, deviation and result of one row while it lies in the cache (layer
normalisation), or of all columns at once, row after row (batch normalisation).

The loops over rows make their results themselves: numba's arrays begin where a vector register may
be stored at once, NumPy's seldom do, which costs a quarter of the time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..engine.base.aliases import Array
from . import approximations as a
from .table import Kernel, Row, contiguous, fits, summing

SMALL = 512
ZERO, ONE = a.ZERO, a.ONE


@summing
def normalize_rows(x: Array, epsilon: float) -> Array:
    out, n = np.empty_like(x), np.float32(x.shape[1])
    for r in range(x.shape[0]):
        total = ZERO
        for j in range(x.shape[1]):
            total += x[r, j]
        mean, squares = total / n, ZERO
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            squares += d * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        for j in range(x.shape[1]):
            out[r, j] = (x[r, j] - mean) * scale
    return out


@summing
def normalize_grad_rows(g: Array, x: Array, epsilon: float) -> Array:
    """Normalise a row again while it lies in the cache: that costs less than fetching the
    normalised numbers.
    """
    out, n = np.empty_like(x), np.float32(x.shape[1])
    for r in range(x.shape[0]):
        total, gs, gds, squares = ZERO, ZERO, ZERO, ZERO
        for j in range(x.shape[1]):
            total += x[r, j]
        mean = total / n
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            squares += d * d
            gs += g[r, j]
            gds += g[r, j] * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        gs, gys = gs / n, gds * scale / n
        for j in range(x.shape[1]):
            out[r, j] = (g[r, j] - gs - (x[r, j] - mean) * scale * gys) * scale
    return out


@summing
def deviation_columns(x: Array, epsilon: float, mean: Array, scale: Array) -> None:
    """Put the means and one over the deviations of the columns into two arrays of float64."""
    n = x.shape[0]
    mean[:] = 0
    scale[:] = 0
    for i in range(n):
        for j in range(x.shape[1]):
            mean[j] += x[i, j]
    for j in range(x.shape[1]):
        mean[j] = np.float32(mean[j] / n)
    for i in range(n):
        for j in range(x.shape[1]):
            d = x[i, j] - mean[j]
            scale[j] += d * d
    for j in range(x.shape[1]):
        scale[j] = 1 / math.sqrt(scale[j] / n + epsilon)


@summing
def scale_columns(x: Array, mean: Array, scale: Array, out: Array) -> None:
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - mean[j]) * scale[j]


@summing
def grad_columns(g: Array, y: Array, scale: Array, gs: Array, gys: Array, out: Array) -> None:
    n = g.shape[0]
    gs[:] = 0
    gys[:] = 0
    for i in range(n):
        for j in range(g.shape[1]):
            gs[j] += g[i, j]
            gys[j] += g[i, j] * y[i, j]
    for j in range(g.shape[1]):
        gs[j] /= n
        gys[j] /= n
    for i in range(n):
        for j in range(g.shape[1]):
            out[i, j] = (g[i, j] - gs[j] - y[i, j] * gys[j]) * scale[j]


@summing
def steps_rows(x: Array, gamma: Array, beta: Array, epsilon: float) -> tuple[Array, Array, Array]:
    y, scaled, out, n = np.empty_like(x), np.empty_like(x), np.empty_like(x), np.float32(x.shape[1])
    for r in range(x.shape[0]):
        total, squares = ZERO, ZERO
        for j in range(x.shape[1]):
            total += x[r, j]
        mean = total / n
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            squares += d * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        for j in range(x.shape[1]):
            y[r, j] = (x[r, j] - mean) * scale
            scaled[r, j] = y[r, j] * gamma[j]
            out[r, j] = scaled[r, j] + beta[j]
    return y, scaled, out


@summing
def steps_columns(
    x: Array,
    gamma: Array,
    beta: Array,
    mean: Array,
    scale: Array,
    y: Array,
    scaled: Array,
    out: Array,
) -> None:
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = (x[i, j] - mean[j]) * scale[j]
            scaled[i, j] = y[i, j] * gamma[j]
            out[i, j] = scaled[i, j] + beta[j]


def flattened(x: Array, axis: Any) -> Any:
    """Return the number of rows and columns, and which of them is normalised; None for other axes."""
    axes = tuple(sorted([k % x.ndim for k in axis]))
    if axes == tuple(range(x.ndim - len(axes), x.ndim)):
        n = math.prod([x.shape[k] for k in axes])
        return (-1, n), "rows"
    if axes == tuple(range(len(axes))):
        return (-1, math.prod(x.shape[len(axes) :])), "columns"
    return None, None


def normalize(plain: Kernel) -> Kernel:
    def kernel(x: Array, axis: Any, epsilon: float) -> Array:
        shape, what = flattened(x, axis) if fits(x, SMALL) else (None, None)
        if what is None:
            return plain(x, axis=axis, epsilon=epsilon)
        flat = x.reshape(shape)
        if what == "rows":
            return normalize_rows(flat, np.float32(epsilon)).reshape(x.shape)
        out, (mean, scale) = np.empty_like(x), np.empty((2, flat.shape[1]))
        deviation_columns(flat, float(np.float32(epsilon)), mean, scale)
        scale_columns(flat, mean.astype(np.float32), scale.astype(np.float32), out.reshape(shape))
        return out

    return kernel


def normalize_grad(plain: Kernel) -> Kernel:
    def kernel(g: Array, x: Array, y: Array, axis: Any, epsilon: float) -> Array:
        g = contiguous(g, x)
        shape, what = (
            flattened(x, axis)
            if fits(x, SMALL) and fits(g, SMALL) and fits(y, SMALL) and g.shape == x.shape
            else (None, None)
        )
        if what is None:
            return plain(g, x, y, axis=axis, epsilon=epsilon)
        flat = x.reshape(shape)
        if what == "rows":
            return normalize_grad_rows(g.reshape(shape), flat, np.float32(epsilon)).reshape(x.shape)
        out, (mean, scale) = np.empty_like(x), np.empty((2, flat.shape[1]))
        deviation_columns(flat, float(np.float32(epsilon)), mean, scale)
        sums = np.empty((2, flat.shape[1]))
        grad_columns(g.reshape(shape), y.reshape(shape), scale, *sums, out.reshape(shape))
        return out

    return kernel


def steps(plain: Kernel) -> Kernel:
    def kernel(
        x: Array, gamma: Array, beta: Array, axis: Any, epsilon: float
    ) -> tuple[Array, Array, Array]:
        shape, what = flattened(x, axis) if fits(x, SMALL) else (None, None)
        if not (fits(gamma, 1) and fits(beta, 1) and shape == (-1, gamma.size)):
            return plain(x, gamma, beta, axis=axis, epsilon=epsilon)
        flat = x.reshape(shape)
        if what == "rows":
            y, scaled, out = steps_rows(flat, gamma, beta, np.float32(epsilon))
        else:
            y, scaled, out = np.empty_like(flat), np.empty_like(flat), np.empty_like(flat)
            mean, scale = np.empty((2, gamma.size))
            deviation_columns(flat, float(np.float32(epsilon)), mean, scale)
            mean, scale = mean.astype(np.float32), scale.astype(np.float32)
            steps_columns(flat, gamma, beta, mean, scale, y, scaled, out)
        return y.reshape(x.shape), scaled.reshape(x.shape), out.reshape(x.shape)

    return kernel


Row("Normalize", normalize)
Row("NormalizeGrad", normalize_grad)
Row("NormalizeScaleShift", steps)
