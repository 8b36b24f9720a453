"""The gradients of pooling: each window is looked at once, in place, without masks as large as the
image.

Pooling itself is left to NumPy, which was as fast here.
"""

from __future__ import annotations

import numpy as np

from ..engine.base.aliases import Array, Ints, Pads, Pair
from . import approximations as a
from .table import Kernel, Row, fits, loop

SMALL = 512
ZERO = a.ZERO


@loop
def max_pool_grad(
    g: Array, x: Array, y: Array, out: Array, window: Pair, strides: Pair, corner: Pair
) -> None:
    (window_h, window_w), (step_h, step_w), (top, left) = window, strides, corner
    free = np.empty(x.shape[3], np.float32)
    for n in range(g.shape[0]):
        for p in range(g.shape[1]):
            for q in range(g.shape[2]):
                for c in range(g.shape[3]):
                    free[c] = g[n, p, q, c]
                for i in range(
                    max(0, p * step_h - top), min(x.shape[1], p * step_h - top + window_h)
                ):
                    for j in range(
                        max(0, q * step_w - left), min(x.shape[2], q * step_w - left + window_w)
                    ):
                        for c in range(g.shape[3]):
                            won = x[n, i, j, c] == y[n, p, q, c]
                            out[n, i, j, c] += free[c] if won else ZERO
                            free[c] = ZERO if won else free[c]


@loop
def avg_pool_grad(g: Array, out: Array, window: Pair, strides: Pair, corner: Pair) -> None:
    (window_h, window_w), (step_h, step_w), (top, left) = window, strides, corner
    for n in range(g.shape[0]):
        for p in range(g.shape[1]):
            for q in range(g.shape[2]):
                rows = range(
                    max(0, p * step_h - top), min(out.shape[1], p * step_h - top + window_h)
                )
                columns = range(
                    max(0, q * step_w - left), min(out.shape[2], q * step_w - left + window_w)
                )
                count = np.float32(len(rows) * len(columns))
                for i in rows:
                    for j in columns:
                        for c in range(g.shape[3]):
                            out[n, i, j, c] += g[n, p, q, c] / count


def max_grad(plain: Kernel) -> Kernel:
    def kernel(g: Array, x: Array, y: Array, window: Pair, strides: Pair, pads: Pads) -> Array:
        if not (fits(g, 1) and fits(x, SMALL) and fits(y, 1)) or g.shape != y.shape:
            return plain(g, x, y, window=window, strides=strides, pads=pads)
        out = np.zeros_like(x)
        max_pool_grad(g, x, y, out, window, strides, (pads[0][0], pads[1][0]))
        return out

    return kernel


def avg_grad(plain: Kernel) -> Kernel:
    def kernel(g: Array, shape: Ints, window: Pair, strides: Pair, pads: Pads) -> Array:
        if not fits(g, SMALL // 4) or g.ndim != 4:
            return plain(g, shape=shape, window=window, strides=strides, pads=pads)
        out = np.zeros(shape, g.dtype)
        avg_pool_grad(g, out, window, strides, (pads[0][0], pads[1][0]))
        return out

    return kernel


Row("MaxPoolGrad", max_grad)
Row("AvgPoolGrad", avg_grad)
