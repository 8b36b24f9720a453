"""Softmax and its cross-entropies, row by row: a row stays in the cache while its maximum, its sum
and its result are computed, where NumPy sends the whole array through memory at every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from ..engine.base.aliases import Array
from . import approximations as a
from .table import Kernel, Row, contiguous, fits, summing

SMALL = 512
exp, order, from_order = a.exp, a.order, a.from_order
LOWEST, ZERO, ONE = np.int32(-2147483648), a.ZERO, a.ONE


@njit(forceinline=True, fastmath=a.FUSED)
def highest(x: Any, r: Any) -> Any:
    """Return the largest number of row r, NaN where it has one."""
    top = LOWEST
    for j in range(x.shape[1]):
        top = max(top, order(x[r, j]))
    return from_order(top)


@summing
def softmax_rows(x: Array, out: Array) -> None:
    for r in range(x.shape[0]):
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            e = exp(x[r, j] - m)
            out[r, j] = e
            total += e
        scale = ONE / total
        for j in range(x.shape[1]):
            out[r, j] *= scale


@summing
def log_softmax_rows(x: Array, out: Array) -> None:
    for r in range(x.shape[0]):
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            total += exp(x[r, j] - m)
        shift = np.float32(math.log(total))
        for j in range(x.shape[1]):
            out[r, j] = (x[r, j] - m) - shift


@summing
def cross_entropy_rows(x: Array, t: Array, out: Array) -> None:
    for r in range(x.shape[0]):
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            total += exp(x[r, j] - m)
        shift, loss = np.float32(math.log(total)), ZERO
        for j in range(x.shape[1]):
            loss -= t[r, j] * ((x[r, j] - m) - shift)
        out[r] = loss


@summing
def cross_entropy_grad_rows(g: Array, x: Array, t: Array, out: Array) -> None:
    for r in range(x.shape[0]):
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            e = exp(x[r, j] - m)
            out[r, j] = e
            total += e
        scale, part = ONE / total, g[r]
        for j in range(x.shape[1]):
            out[r, j] = (out[r, j] * scale - t[r, j]) * part


@summing
def sparse_rows(x: Array, t: Array, out: Array) -> bool:
    for r in range(x.shape[0]):
        if t[r] < 0 or t[r] >= x.shape[1]:
            return False
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            total += exp(x[r, j] - m)
        out[r] = np.float32(math.log(total)) - (x[r, t[r]] - m)
    return True


@summing
def sparse_grad_rows(g: Array, x: Array, t: Array, out: Array) -> bool:
    for r in range(x.shape[0]):
        if t[r] < 0 or t[r] >= x.shape[1]:
            return False
        m, total = highest(x, r), ZERO
        for j in range(x.shape[1]):
            e = exp(x[r, j] - m)
            out[r, j] = e
            total += e
        scale = ONE / total
        for j in range(x.shape[1]):
            out[r, j] *= scale
        out[r, t[r]] -= ONE
        for j in range(x.shape[1]):
            out[r, j] *= g[r]
    return True


@summing
def softmax_slope_rows(g: Array, y: Array, out: Array) -> None:
    for r in range(g.shape[0]):
        total = ZERO
        for j in range(g.shape[1]):
            total += g[r, j] * y[r, j]
        for j in range(g.shape[1]):
            out[r, j] = (g[r, j] - total) * y[r, j]


@summing
def log_softmax_slope_rows(g: Array, y: Array, out: Array) -> None:
    for r in range(g.shape[0]):
        total = ZERO
        for j in range(g.shape[1]):
            total += g[r, j]
        for j in range(g.shape[1]):
            out[r, j] = g[r, j] - total * exp(y[r, j])


def rows(x: Array) -> Array:
    """Return an array as rows along its last axis."""
    return x.reshape(-1, x.shape[-1])


def along_last(run: Kernel) -> Callable[[Kernel], Kernel]:
    """Return the maker of a kernel of one array, along its last axis."""

    def make(plain: Kernel) -> Kernel:
        def kernel(x: Array, axis: int) -> Array:
            if not fits(x, SMALL) or axis not in (-1, x.ndim - 1):
                return plain(x, axis=axis)
            out = np.empty_like(x)
            run(rows(x), rows(out))
            return out

        return kernel

    return make


def slope_along_last(run: Kernel) -> Callable[[Kernel], Kernel]:
    """Return the maker of the rule of such a kernel, from its result."""

    def make(plain: Kernel) -> Kernel:
        def rule(g: Array, y: Array, x: Array, axis: int) -> Array:
            g = contiguous(g, y)
            if (
                not (fits(g, SMALL) and fits(y, SMALL))
                or g.shape != y.shape
                or axis not in (-1, y.ndim - 1)
            ):
                return plain(g, y, x, axis=axis)
            out = np.empty_like(g)
            run(rows(g), rows(y), rows(out))
            return out

        return rule

    return make


def cross_entropy(plain: Kernel) -> Kernel:
    def kernel(x: Array, t: Array) -> Array:
        if not (fits(x, SMALL) and fits(t, SMALL)) or x.shape != t.shape or x.ndim < 2:
            return plain(x, t)
        out = np.empty(x.shape[:-1], x.dtype)
        cross_entropy_rows(rows(x), rows(t), out.reshape(-1))
        return out

    return kernel


def cross_entropy_grad(plain: Kernel) -> Kernel:
    def kernel(g: Array, x: Array, t: Array) -> Array:
        g = np.ascontiguousarray(g) if type(g) is np.ndarray else g
        if (
            not (fits(x, SMALL) and fits(t, SMALL))
            or x.shape != t.shape
            or x.ndim < 2
            or not fits(g, 1)
            or g.ndim != x.ndim - 1
        ):
            return plain(g, x, t)
        out = np.empty_like(x)
        cross_entropy_grad_rows(g.reshape(-1), rows(x), rows(t), rows(out))
        return out

    return kernel


def sparse(plain: Kernel) -> Kernel:
    def kernel(x: Array, t: Array) -> Array:
        if (
            fits(x, SMALL)
            and x.ndim > 1
            and type(t) is np.ndarray
            and t.dtype.kind == "i"
            and t.flags.c_contiguous
        ):
            out = np.empty(x.shape[:-1], x.dtype)
            if sparse_rows(rows(x), t.reshape(-1), out.reshape(-1)):
                return out
        return plain(x, t)  # raises where a label is no class

    return kernel


def sparse_grad(plain: Kernel) -> Kernel:
    def kernel(g: Array, x: Array, t: Array) -> Array:
        g = np.ascontiguousarray(g) if type(g) is np.ndarray else g
        if (
            fits(x, SMALL)
            and x.ndim > 1
            and type(t) is np.ndarray
            and t.dtype.kind == "i"
            and t.flags.c_contiguous
            and fits(g, 1)
            and g.ndim == x.ndim - 1
        ):
            out = np.empty_like(x)
            if sparse_grad_rows(g.reshape(-1), rows(x), t.reshape(-1), rows(out)):
                return out
        return plain(g, x, t)

    return kernel


Row("Softmax", along_last(softmax_rows), {0: slope_along_last(softmax_slope_rows)})
Row("LogSoftmax", along_last(log_softmax_rows), {0: slope_along_last(log_softmax_slope_rows)})
Row("SoftmaxCrossEntropyWithLogits", cross_entropy)
Row("SoftmaxCrossEntropyGrad", cross_entropy_grad)
Row("SparseSoftmaxCrossEntropyWithLogits", sparse)
Row("SparseSoftmaxCrossEntropyGrad", sparse_grad)
