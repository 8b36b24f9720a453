"""Convolution: a small window slides over images, and every position is one dot product with the
filter.

Images have the shape (examples, rows, columns, channels), filters (rows, columns, channels in,
channels out). The windows are laid out as the rows of one big matrix ("im2col"), so that all
positions are one matrix product. Convolution is linear in the image and linear in the filter: the
three rows below are each other's derivatives.

`strides` and `dilations` are pairs; `pads` is ((top, bottom), (left, right)); `groups` splits the
channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import InvalidArgumentError
from ..record import Op

if TYPE_CHECKING:
    from ...base.aliases import Array, Ints, Pads, Pair, Value

THIN = 4  # up to so many channels, channels are laid out as whole images


def padded(x: Array, pads: Pads, value: float = 0) -> Array:
    """Return the images with a margin around them."""
    (top, bottom), (left, right) = pads
    if not (top or bottom or left or right):
        return x
    n, h, w, c = x.shape
    out = np.full((n, h + top + bottom, w + left + right, c), value, x.dtype)
    out[:, top : top + h, left : left + w] = x
    return out


def extent(n: int, window: int, stride: int, pad: Pair, dilation: int) -> int:
    """Return how many positions a window has along an axis of length `n`."""
    return max(0, (n + sum(pad) - (window - 1) * dilation - 1) // stride + 1)


def windows(x: Array, kh: int, kw: int, strides: Pair, pads: Pads, dilations: Pair) -> Array:
    """Return a view of all windows: (examples, rows, columns, window rows, window columns,
    channels).
    """
    oh, ow = (
        extent(n, k, s, p, d)
        for n, k, s, p, d in zip(x.shape[1:3], (kh, kw), strides, pads, dilations)
    )
    x = padded(x, pads)
    n, h, w, c = x.strides
    shape = (x.shape[0], oh, ow, kh, kw, x.shape[3])
    return np.lib.stride_tricks.as_strided(
        x,
        shape,
        (n, h * strides[0], w * strides[1], h * dilations[0], w * dilations[1], c),
        writeable=False,
    )


def grouped(w: Array, groups: int) -> Array:
    """Return the filter as a stack of matrices, one per group: (groups, window and channels in,
    channels out).
    """
    kh, kw, c, f = w.shape
    return w.reshape(kh * kw * c, groups, f // groups).transpose(1, 0, 2)


def columns(
    x: Array, kh: int, kw: int, groups: int, strides: Pair, pads: Pads, dilations: Pair
) -> tuple[Array, Ints]:
    """Return the windows as matrices (groups, positions, window and channels), and the shape of the
    positions.
    """
    if groups == 1 and x.shape[3] <= THIN:
        return thin_columns(x, kh, kw, strides, pads, dilations)
    v = windows(x, kh, kw, strides, pads, dilations)
    n, oh, ow, _, _, c = v.shape
    if groups == 1:
        return v.reshape(1, n * oh * ow, kh * kw * c), (n, oh, ow)
    v = v.reshape(n * oh * ow, kh, kw, groups, c // groups).transpose(3, 0, 1, 2, 4)
    return v.reshape(groups, n * oh * ow, kh * kw * (c // groups)), (n, oh, ow)


def shifts(
    kh: int, kw: int, oh: int, ow: int, strides: Pair, dilations: Pair
) -> Iterator[tuple[int, int, slice, slice]]:
    """Yield for each place in the window its row and column, and where it lies in the padded image
    for all positions.
    """
    for i in range(kh):
        for j in range(kw):
            a, b = i * dilations[0], j * dilations[1]
            yield (
                i,
                j,
                slice(a, a + oh * strides[0], strides[0]),
                slice(b, b + ow * strides[1], strides[1]),
            )


def thin_columns(
    x: Array, kh: int, kw: int, strides: Pair, pads: Pads, dilations: Pair
) -> tuple[Array, Ints]:
    """Do the same for few channels: then it is quicker to copy one place of the window after the
    other, in long rows.
    """
    oh, ow = (
        extent(n, k, s, p, d)
        for n, k, s, p, d in zip(x.shape[1:3], (kh, kw), strides, pads, dilations)
    )
    x = padded(x, pads).transpose(3, 0, 1, 2)
    c, n = x.shape[:2]
    out = np.empty((kh, kw, c, n, oh, ow), x.dtype)
    for i, j, rows, columns_ in shifts(kh, kw, oh, ow, strides, dilations):
        out[i, j] = x[:, :, rows, columns_]
    return out.reshape(1, kh * kw * c, n * oh * ow).transpose(0, 2, 1), (n, oh, ow)


def conv_kernel(
    x: Array, w: Array, strides: Pair, pads: Pads, dilations: Pair, groups: int
) -> Array:
    if x.ndim != 4 or w.ndim != 4 or x.shape[3] != w.shape[2] * groups:
        raise InvalidArgumentError(
            "input depth must be evenly divisible by filter depth: the images have shape "
            f"{list(x.shape)} "
            "(examples, rows, "
            f"columns, channels), the filter {list(w.shape)} (rows, columns, channels in, "
            "channels out) "
            "[Op:Conv2D]."
        )
    cols, outer = columns(x, w.shape[0], w.shape[1], groups, strides, pads, dilations)
    y = np.matmul(cols, grouped(w, groups))
    return (y[0] if groups == 1 else y.transpose(1, 0, 2)).reshape(outer + (w.shape[3],))


def filter_kernel(
    x: Array, g: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair, groups: int
) -> Array:
    kh, kw, c, f = shape
    cols, _ = columns(x, kh, kw, groups, strides, pads, dilations)
    g = g.reshape(-1, groups, f // groups).transpose(1, 0, 2)
    return np.matmul(cols.transpose(0, 2, 1), g).transpose(1, 0, 2).reshape(shape)


def image_kernel(
    g: Array, w: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair, groups: int
) -> Array:
    kh, kw, c, f = w.shape
    (top, bottom), (left, right) = pads
    n, oh, ow, _ = g.shape
    high, wide = shape[1] + top + bottom, shape[2] + left + right
    places = shifts(kh, kw, oh, ow, strides, dilations)
    if groups == 1 and c <= THIN:
        parts = np.matmul(w.reshape(kh * kw * c, f), g.reshape(-1, f).T).reshape(
            kh, kw, c, n, oh, ow
        )
        out = np.zeros((c, n, high, wide), g.dtype)
        for i, j, rows, columns_ in places:
            out[:, :, rows, columns_] += parts[i, j]
        out = out.transpose(1, 2, 3, 0)
    else:
        flat = g.reshape(n * oh * ow, groups, f // groups).transpose(1, 0, 2)
        w = np.ascontiguousarray(w.reshape(kh, kw, c, groups, f // groups).transpose(0, 1, 3, 4, 2))
        out = np.zeros((n, high, wide, shape[3]), g.dtype)
        for i, j, rows, columns_ in places:
            out[:, rows, columns_] += (
                np.matmul(flat, w[i, j]).transpose(1, 0, 2).reshape(n, oh, ow, shape[3])
            )
    return out[:, top : top + shape[1], left : left + shape[2]]


def shape_of(x: Value) -> Ints:
    """Return the shape as a plain tuple."""
    return tuple(x.shape)


# fmt: off
conv2d = Op("Conv2D", conv_kernel,
            lambda g, y, x, w, **how: conv2d_image(g, w, shape=shape_of(x), **how),
            lambda g, y, x, w, **how: conv2d_filter(x, g, shape=shape_of(w), **how), batched=False)
conv2d_image = Op("Conv2DBackpropInput", image_kernel,
                  lambda gg, y, g, w, shape, **how: conv2d(gg, w, **how),
                  lambda gg, y, g, w, shape, **how: conv2d_filter(gg, g, shape=shape_of(w), **how), batched=False)
conv2d_filter = Op("Conv2DBackpropFilter", filter_kernel,
                   lambda gg, y, x, g, shape, **how: conv2d_image(g, gg, shape=shape_of(x), **how),
                   lambda gg, y, x, g, shape, **how: conv2d(x, gg, **how), batched=False)
# fmt: on
