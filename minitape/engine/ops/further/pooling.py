"""Pooling: the largest, or the mean, of every window of an image.

The adjoint of a largest number goes to where it stood; among equals the first in reading order
takes all, as in TensorFlow. The adjoint of a mean is shared out evenly. `window`, `strides` are
pairs, `pads` is ((top, bottom), (left, right)); padded places never win and are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from ...base.aliases import Array, Ints, Pads, Pair
from ..elementwise import zeros_like
from ..record import Op
from .convolution import extent, padded


def shifts(
    shape: Ints, window: Pair, strides: Pair, pads: Pads
) -> list[tuple[slice, slice, slice]]:
    """Return for every place in the window where it lies in the padded image, for all positions at
    once.
    """
    oh, ow = (extent(n, k, s, p, 1) for n, k, s, p in zip(shape[1:3], window, strides, pads))
    return [
        (
            slice(None),
            slice(i, i + oh * strides[0], strides[0]),
            slice(j, j + ow * strides[1], strides[1]),
        )
        for i in range(window[0])
        for j in range(window[1])
    ]


def lowest(dtype: np.dtype) -> float:
    """Return the smallest number of a dtype: it never wins."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def max_kernel(x: Array, window: Pair, strides: Pair, pads: Pads) -> Array:
    places = shifts(x.shape, window, strides, pads)
    x = padded(x, pads, lowest(x.dtype))
    y = x[places[0]].copy()
    for place in places[1:]:
        np.fmax(y, x[place], out=y)  # a NaN never wins, as in TensorFlow
    return y


def winners(
    x: Array, y: Array, window: Pair, strides: Pair, pads: Pads
) -> Iterator[tuple[tuple[slice, slice, slice], Array]]:
    """Yield each place of the window with a mask of the positions where the largest number stands
    there.
    """
    places = shifts(x.shape, window, strides, pads)
    x = padded(x, pads, lowest(x.dtype))
    free = None
    for place in places:
        won = x[place] == y
        if free is None:
            free = ~won
        else:
            won &= free
            free ^= won
        yield place, won


def max_grad_kernel(g: Array, x: Array, y: Array, window: Pair, strides: Pair, pads: Pads) -> Array:
    (top, bottom), (left, right) = pads
    n, h, w, c = x.shape
    out = np.zeros((n, h + top + bottom, w + left + right, c), g.dtype)
    apart = strides[0] >= window[0] and strides[1] >= window[1]
    for place, won in winners(x, y, window, strides, pads):
        if apart:
            np.multiply(g, won, out=out[place])
        else:
            out[place] += g * won
    return out[:, top : top + h, left : left + w]


def max_pick_kernel(
    gg: Array, x: Array, y: Array, window: Pair, strides: Pair, pads: Pads
) -> Array:
    gg = padded(gg, pads)
    out = np.zeros(y.shape, gg.dtype)
    for place, won in winners(x, y, window, strides, pads):
        out += gg[place] * won
    return out


@lru_cache(100)
def counts(shape: Ints, window: Pair, strides: Pair, pads: Pads) -> Array:
    """Return how many places of each window lie inside the image: (rows, columns, 1)."""
    inside = padded(np.ones((1, *shape[1:3], 1), np.int32), pads)
    return sum(inside[place] for place in shifts(shape, window, strides, pads))[0]  # type: ignore[index]


def avg_kernel(x: Array, window: Pair, strides: Pair, pads: Pads) -> Array:
    places = shifts(x.shape, window, strides, pads)
    inside = padded(x, pads)
    y = inside[places[0]].copy()
    for place in places[1:]:
        y += inside[place]
    y /= counts(x.shape, window, strides, pads).astype(x.dtype)
    return y


def avg_grad_kernel(g: Array, shape: Ints, window: Pair, strides: Pair, pads: Pads) -> Array:
    (top, bottom), (left, right) = pads
    n, h, w, c = shape
    out = np.zeros((n, h + top + bottom, w + left + right, c), g.dtype)
    g = g / counts(shape, window, strides, pads).astype(g.dtype)
    for place in shifts(shape, window, strides, pads):
        out[place] += g
    return out[:, top : top + h, left : left + w]


# fmt: off
max_pool      = Op("MaxPool",     max_kernel, lambda g, y, x, **how: max_pool_grad(g, x, y, **how), batched=False)
max_pool_grad = Op("MaxPoolGrad", max_grad_kernel,
                   lambda gg, p, g, x, y, **how: max_pool_pick(gg, x, y, **how),
                   lambda gg, p, g, x, y, **how: zeros_like(gg),
                   lambda gg, p, g, x, y, **how: zeros_like(g), batched=False)
max_pool_pick = Op("MaxPoolGradGrad", max_pick_kernel,
                   lambda g, p, gg, x, y, **how: max_pool_grad(g, x, y, **how),
                   lambda g, p, gg, x, y, **how: zeros_like(gg),
                   lambda g, p, gg, x, y, **how: zeros_like(g), batched=False)
avg_pool      = Op("AvgPool",     avg_kernel, lambda g, y, x, **how: avg_pool_grad(g, shape=tuple(x.shape), **how), batched=False)
avg_pool_grad = Op("AvgPoolGrad", avg_grad_kernel, lambda gg, p, g, shape, **how: avg_pool(gg, **how), batched=False)
# fmt: on
