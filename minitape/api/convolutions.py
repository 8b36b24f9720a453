"""Convolution and pooling under TensorFlow's names, which are found in `tf.nn`.

Images have the shape (examples, rows, columns, channels). `padding` is "VALID" (the window stays
inside), "SAME" (the margin is filled up so that every stride gives a result) or a list of margins.
A sequence is an image of one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.base.errors import InvalidArgumentError, UnimplementedError
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.operators import operand
from ..engine.ops import shaping
from ..engine.ops.further import convolution as rows
from ..engine.ops.further import pooling
from ..engine.ops.record import Op, run
from ..typing import TensorLike
from .arguments import FLOATS, REALS, only, plain_numbers


def per_axis(value: Any, what: str, n: int = 2) -> tuple[int, ...]:
    """Return two numbers (rows, columns) of one, two or four numbers."""
    value = value.value if isinstance(value, Tensor) else value
    numbers = [int(v) for v in np.ravel(value)]
    if len(numbers) == 1:
        numbers *= n
    if len(numbers) == n + 2:
        if (numbers[0], numbers[-1]) != (1, 1):
            raise InvalidArgumentError(
                f"{what} along examples and channels must be 1, got {numbers}."
            )
        numbers = numbers[1:-1]
    if len(numbers) != n or min(numbers) < 1:
        raise ValueError(
            f"{what} should be of length 1, {n} or {n + 2} and positive, but was {value!r}."
        )
    return tuple(numbers)


class WindowError(InvalidArgumentError, ValueError):
    """A window is larger than the image. TensorFlow's functions raise the first of these types,
    Keras' layers the second.
    """


def margins(
    padding: str | Sequence[Any],
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[Any, ...]:
    """Return ((top, bottom), (left, right)). Raises `InvalidArgumentError` for an unknown word or a
    window that does not fit.
    """
    if not isinstance(padding, str):
        return tuple(tuple(int(v) for v in side) for side in padding[1:-1])
    if padding.upper() == "VALID":
        reach = [(k - 1) * d + 1 for k, d in zip(window, dilations)]
        if any([r > n + 1 for r, n in zip(reach, shape)]):
            raise WindowError(
                "Computed output size would be zero or negative: a window of "
                f"{' x '.join(map(str, reach))} does not fit "
                f"into an image of {' x '.join(map(str, shape))}. Use padding='SAME', or a "
                "smaller window."
            )
        return ((0, 0),) * len(window)
    if padding.upper() != "SAME":
        raise InvalidArgumentError(
            f"Value for attr 'padding' of {padding!r} is not in the list of allowed values: "
            "'SAME', 'VALID', or a "
            "list of margins."
        )
    pads = []
    for n, k, s, d in zip(shape, window, strides, dilations):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        pads.append((total // 2, total - total // 2))
    return tuple(pads)


def images(x: TensorLike, what: str, data_format: str | None, ndim: int = 4) -> Tensor:
    """Return `x` as a tensor with four axes, the channels last.

    Raises `InvalidArgumentError` for other axes, UnimplementedError, as TensorFlow on a CPU, where
    the channels come first, and ValueError for an unknown format.
    """
    if data_format in ("NCHW", "NCW"):
        raise UnimplementedError(
            f"Channels stand last here, as in TensorFlow on a CPU, not {data_format}: "
            "tf.transpose(images, [0, 2, 3, 1])."
        )
    if data_format not in (None, "NHWC", "NWC"):
        raise ValueError(f"`data_format` must be 'NHWC', got {data_format!r}.")
    x = convert_to_tensor(x)
    if x.ndim != ndim:
        raise InvalidArgumentError(
            f"{what} must be {ndim}-dimensional, (examples, "
            f"{'rows, columns, ' if ndim == 4 else 'steps, '}channels), "
            f"but has shape {list(x.shape)}. A single image needs an axis more: image[tf.newaxis]."
        )
    return x


def how(
    x: Tensor,
    filters: Tensor,
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    dilations: int | Sequence[int] | None,
) -> dict[str, Any]:
    """Return the attributes of a convolution."""
    strides, dilations = (
        per_axis(strides, "strides"),
        per_axis(1 if dilations is None else dilations, "dilations"),
    )
    return {
        "strides": strides,
        "pads": margins(padding, x.value.shape[1:3], filters.value.shape[:2], strides, dilations),
        "dilations": dilations,
    }


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters (rows, columns, channels in, channels out) over images.

    Shape: (n, rows, columns, in) -> (n, rows', columns', out). Raises `InvalidArgumentError` for
    shapes that do not fit. Source: `tf.nn.conv2d`.
    """
    x = images(input, "input", data_format)
    w = filters if type(filters) is Tensor else operand(filters, x)
    if w.ndim != 4 or not w.value.shape[2] or x.value.shape[3] % w.value.shape[2]:
        raise InvalidArgumentError(
            "input depth must be evenly divisible by filter depth: the images have shape "
            f"{list(x.shape)}, the "
            "filters "
            f"{list(w.shape)} (rows, columns, channels in, channels out) [Op:Conv2D]."
        )
    if x.value.dtype != np.int32:
        only(FLOATS, rows.conv2d, x)
    return run(
        rows.conv2d,
        (x, w),
        {**how(x, w, strides, padding, dilations), "groups": x.value.shape[3] // w.value.shape[2]},
    )


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Slide a filter of its own over every channel: filter (rows, columns, channels, multiplier),
    result with channels * multiplier channels.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c * multiplier). Source:
    `tf.nn.depthwise_conv2d`.
    """
    x = images(input, "input", data_format)
    w = filter if type(filter) is Tensor else operand(filter, x)
    if w.ndim != 4 or w.value.shape[2] != x.value.shape[3]:
        raise InvalidArgumentError(
            f"input and filter must have the same depth: {list(x.shape)} vs. {list(w.shape)} "
            "[Op:DepthwiseConv2dNative]"
        )
    kh, kw, c, m = w.value.shape
    w = shaping.reshape(w, shape=(kh, kw, 1, c * m))
    if x.value.dtype != np.int32:
        only(FLOATS, rows.conv2d, x)
    return run(rows.conv2d, (x, w), {**how(x, w, strides, padding, dilations), "groups": c})


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve each channel for itself, then mix the channels.

    Shape: (n, rows, columns, c), (h, w, c, multiplier) and (1, 1, c * multiplier, out) -> (n,
    rows', columns', out). Source: `tf.nn.separable_conv2d`.
    """
    return conv2d(
        depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations),
        pointwise_filter,
        1,
        "VALID",
        data_format or "NHWC",
    )


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Sequence[int] | Tensor,
    strides: int | Sequence[int],
    padding: str | Sequence[Any] = "SAME",
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Do what the gradient of `conv2d` does to images: spread every number by the filter (rows,
    columns, channels out, channels in).

    Shape: (n, rows, columns, in) -> `output_shape`, (n, rows', columns', out). Source:
    `tf.nn.conv2d_transpose`.
    """
    g = only(FLOATS, rows.conv2d, images(input, "input", data_format))
    w = filters if type(filters) is Tensor else operand(filters, g)
    shape = tuple(map(int, plain_numbers(output_shape)))
    target = Tensor(np.broadcast_to(np.float32(0), shape))
    attributes = how(target, w, strides, padding, dilations)
    expected = tuple(
        rows.extent(n, k, s, p, d)
        for n, k, s, p, d in zip(
            shape[1:3],
            w.value.shape,
            attributes["strides"],
            attributes["pads"],
            attributes["dilations"],
        )
    )
    if (
        w.ndim != 4
        or g.value.shape != (shape[0], *expected, w.value.shape[3])
        or shape[3] != w.value.shape[2]
    ):
        raise InvalidArgumentError(
            f"Conv2DSlowBackpropInput: the input {list(g.shape)} is not what a convolution of "
            "images "
            f"{list(shape)} with "
            f"filters {list(w.shape)} gives. Check output_shape and strides."
        )
    return run(rows.conv2d_image, (g, w), {"shape": shape, **attributes, "groups": 1})


def _row(x: Tensor) -> Tensor:
    """Return sequences as images of one row."""
    n, w, c = x.value.shape
    return shaping.reshape(x, shape=(n, 1, w, c))


def _sequence(y: Tensor) -> Tensor:
    n, _, w, c = y.value.shape
    return shaping.reshape(y, shape=(n, w, c))


def _flat_filter(w: TensorLike, x: Tensor) -> Tensor:
    w = w if type(w) is Tensor else operand(w, x)
    return shaping.reshape(w, shape=(1, *w.value.shape))


def _padding1(padding: str | Sequence[Any]) -> Any:
    if isinstance(padding, str):
        return padding
    if np.shape(padding) != (3, 2):
        raise InvalidArgumentError(
            '`padding` must be "VALID", "SAME", or a pair of numbers for each of the 3 axes, '
            f"got {padding!r}."
        )
    return [[0, 0], [0, 0], list(padding[1]), [0, 0]]


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Slide filters (steps, channels in, channels out) over sequences (examples, steps, channels).

    Shape: (n, steps, in) -> (n, steps', out). Source: `tf.nn.conv1d`.
    """
    x = images(input, "input", data_format, 3)
    y = conv2d(
        _row(x),
        _flat_filter(filters, x),
        (1, *per_axis(stride, "stride", 1)),
        _padding1(padding),
        dilations=(1, *per_axis(1 if dilations is None else dilations, "dilations", 1)),
    )
    return _sequence(y)


def _pool(
    op: Op,
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None,
) -> Tensor:
    x = images(input, "input", data_format)
    window, strides = per_axis(ksize, "ksize"), per_axis(strides, "strides")
    pads = margins(padding, x.value.shape[1:3], window, strides, (1, 1))
    return run(
        op,
        (only(REALS if op is pooling.max_pool else FLOATS, op, x),),
        {"window": window, "strides": strides, "pads": pads},
    )


def max_pool2d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest number of every window. Shape: (n, rows, columns, c) -> (n, rows',
    columns', c). Source: `tf.nn.max_pool2d`.
    """
    return _pool(pooling.max_pool, input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window; a margin is not counted.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c). Source: `tf.nn.avg_pool2d`.
    """
    return _pool(pooling.avg_pool, input, ksize, strides, padding, data_format)


def _pool1d(
    op: Op,
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None,
) -> Tensor:
    x = images(input, "input", data_format, 3)
    window, steps = per_axis(ksize, "ksize", 1), per_axis(strides, "strides", 1)
    y = _pool(op, _row(x), (1, *window), (1, *steps), _padding1(padding), "NHWC")
    return _sequence(y)


def max_pool1d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest number of every window of sequences. Shape: (n, steps, c) -> (n, steps',
    c). Source: `tf.nn.max_pool1d`.
    """
    return _pool1d(pooling.max_pool, input, ksize, strides, padding, data_format)


def avg_pool1d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window of sequences. Shape: (n, steps, c) -> (n, steps', c). Source:
    `tf.nn.avg_pool1d`.
    """
    return _pool1d(pooling.avg_pool, input, ksize, strides, padding, data_format)


def max_pool(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the largest number of every window of sequences or images.

    Shape: (n, steps, c) -> (n, steps', c), or (n, rows, columns, c) -> (n, rows', columns', c).
    Source: `tf.nn.max_pool`.
    """
    x = convert_to_tensor(input)
    return (max_pool1d if x.ndim == 3 else max_pool2d)(x, ksize, strides, padding, data_format)


def avg_pool(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str | Sequence[Any],
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window of sequences or images.

    Shape: (n, steps, c) -> (n, steps', c), or (n, rows, columns, c) -> (n, rows', columns', c).
    Source: `tf.nn.avg_pool`.
    """
    x = convert_to_tensor(input)
    return (avg_pool1d if x.ndim == 3 else avg_pool2d)(x, ksize, strides, padding, data_format)
