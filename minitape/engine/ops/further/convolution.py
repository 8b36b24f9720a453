"""Convolution: a small window slides over images, and every position is one dot product with the
filter.

Images have the shape (examples, rows, columns, channels), filters (rows, columns, channels in,
channels out). The windows are laid out as the rows of a matrix ("im2col"), so that all positions
are one matrix product; of windows over many channels one row after the other, which takes less
memory, and their products are added. Convolution is linear in the image and linear in the filter:
the three rows of the table below are each other's derivatives.

`strides` and `dilations` are pairs; `pads` is ((top, bottom), (left, right)); `groups` splits the
channels.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator

import numpy as np

from ...base.aliases import Array, Ints, Pads, Pair, Value
from ...base.errors import InvalidArgumentError
from ..record import Op

THIN = 4  # up to so many channels, all windows are laid out, place after place
NARROW = 32  # up to so many channels, the rows of an adjoint's windows are laid out


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


def positions(x: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair) -> Ints:
    """Return the shape of all positions of a filter of this shape: (examples, rows, columns)."""
    oh, ow = map(extent, x.shape[1:3], shape[:2], strides, pads, dilations)
    return x.shape[0], oh, ow


def strips(x: Array, kw: int, groups: int, stride: int, dilation: int, ow: int) -> Array:
    """Return the rows of all windows, laid out one after the other: (groups, examples, rows,
    columns, window columns and channels).
    """
    (n, h, _, c), (example, row, column, channel) = x.shape, x.strides
    each = c // groups
    v = np.lib.stride_tricks.as_strided(
        x,
        (groups, n, h, ow, kw, each),
        (each * channel, example, row, column * stride, column * dilation, channel),
        writeable=False,
    )
    return v.reshape(groups, n, h, ow, kw * each)


def rows_of_windows(
    x: Array, shape: Ints, groups: int, strides: Pair, pads: Pads, dilations: Pair
) -> tuple[Iterator[Array], Ints]:
    """Return for each row of a filter of this shape what lies under it: (groups, examples,
    positions, window columns and channels); and the shape of the positions.
    """
    kh, kw, each, _ = shape
    n, oh, ow = positions(x, shape, strides, pads, dilations)
    v = strips(padded(x, pads), kw, groups, strides[1], dilations[1], ow)
    places = (
        slice(a, a + oh * strides[0], strides[0]) for a in range(0, kh * dilations[0], dilations[0])
    )
    return (v[:, :, rows].reshape(groups, n, oh * ow, kw * each) for rows in places), (n, oh, ow)


def by_row(w: Array, groups: int) -> Array:
    """Return the filter as matrices: (rows, groups, 1, window columns and channels in, channels
    out).
    """
    kh, kw, c, f = w.shape
    return w.reshape(kh, kw * c, groups, 1, f // groups).transpose(0, 2, 3, 1, 4)


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
    x: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair
) -> tuple[Array, Ints]:
    """Return all windows as one matrix (positions, window and channels), and the shape of the
    positions: for few channels it is quicker to copy one place of the window after the other, in
    long rows.
    """
    kh, kw, c, _ = shape
    n, oh, ow = positions(x, shape, strides, pads, dilations)
    x = padded(x, pads).transpose(3, 0, 1, 2)
    out = np.empty((kh, kw, c, n, oh, ow), x.dtype)
    for i, j, rows, columns in shifts(kh, kw, oh, ow, strides, dilations):
        out[i, j] = x[:, :, rows, columns]
    return out.reshape(kh * kw * c, n * oh * ow).T, (n, oh, ow)


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
    if not w.size:
        raise InvalidArgumentError(
            f"filter must not have zero elements: its shape is {list(w.shape)} [Op:Conv2D]."
        )
    f = w.shape[3]
    if groups == 1 and x.shape[3] <= THIN:
        cols, outer = thin_columns(x, w.shape, strides, pads, dilations)
        return np.matmul(cols, w.reshape(-1, f)).reshape(*outer, f)
    parts, outer = rows_of_windows(x, w.shape, groups, strides, pads, dilations)
    y = functools.reduce(operator.iadd, map(np.matmul, parts, by_row(w, groups)))
    return y.transpose(1, 2, 0, 3).reshape(*outer, f)


def filter_kernel(
    x: Array, g: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair, groups: int
) -> Array:
    kh, kw, c, f = shape
    if groups == 1 and c <= THIN:
        cols, _ = thin_columns(x, shape, strides, pads, dilations)
        return np.matmul(cols.T, g.reshape(-1, f)).reshape(shape)
    parts, (n, oh, ow) = rows_of_windows(x, shape, groups, strides, pads, dilations)
    g = g.reshape(n, oh * ow, groups, f // groups).transpose(2, 0, 1, 3)
    sums = [np.matmul(part.transpose(0, 1, 3, 2), g).sum(1) for part in parts]
    return np.stack(sums).transpose(0, 2, 1, 3).reshape(shape)


def image_kernel(
    g: Array, w: Array, shape: Ints, strides: Pair, pads: Pads, dilations: Pair, groups: int
) -> Array:
    kh, kw, c, f = w.shape
    (top, bottom), (left, right) = pads
    n, oh, ow, _ = g.shape
    high, wide, each = shape[1] + top + bottom, shape[2] + left + right, f // groups
    w = w.reshape(kh, kw, c, groups, 1, each).transpose(0, 1, 3, 4, 5, 2)
    # a turned row of the filter passes over the adjoint with zeros around it
    if f <= min(NARROW, 8 * shape[3]):
        reach = (kw - 1) * dilations[1]
        spread = np.zeros((n, oh, wide + reach, f), g.dtype)
        spread[:, :, reach : reach + ow * strides[1] : strides[1]] = g
        v = strips(spread, kw, groups, 1, dilations[1], wide)
        w = w[:, ::-1].transpose(0, 2, 3, 1, 4, 5).reshape(kh, 1, groups, 1, kw * each, c)
        places = shifts(kh, 1, oh, wide, (strides[0], 1), dilations)
    else:
        v, w = strips(g, 1, groups, 1, 1, ow), np.ascontiguousarray(w)
        places = shifts(kh, kw, oh, ow, strides, dilations)
    width = v.shape[3]
    v = v.reshape(groups, n, oh * width, v.shape[4])
    out = np.zeros((n, high, wide, shape[3]), g.dtype)
    for i, j, rows, columns in places:
        part = np.matmul(v, w[i, j]).transpose(1, 2, 0, 3)
        out[:, rows, columns] += part.reshape(n, oh, width, shape[3])
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
