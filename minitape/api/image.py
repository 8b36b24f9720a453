"""Images as tensors: the functions that `tf.image` exports.

An image has the shape (rows, columns, channels), a batch of them one axis more in front.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.notes import look
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import elementwise, reductions, shaping
from ..engine.ops.further import image as rows
from ..engine.ops.record import run
from ..typing import AxisLike, ScalarLike, TensorLike


def _image(x: TensorLike, ndims: tuple[int, ...] = (3, 4)) -> Tensor:
    x = convert_to_tensor(x)
    if x.ndim not in ndims:
        raise ValueError(
            f"'images' must have {' or '.join(map(str, ndims))} dimensions (rows, columns, "
            "channels), but has shape "
            f"{x.shape}."
        )
    return x


def _sum(x: Tensor, axis: AxisLike) -> Tensor:
    return reductions.reduce_sum(x, axis=axis, keepdims=False)


def adjust_contrast(images: TensorLike, contrast_factor: ScalarLike) -> Tensor:
    """Stretch each channel around its mean by a factor. Recorded, but without gradient, as in
    TensorFlow: a gradient through it raises LookupError.

    Shape: (...) -> (...). Source: `tf.image.adjust_contrast`.
    """
    x = convert_to_tensor(images)
    if x.ndim < 3:
        raise InvalidArgumentError(
            f"input must be at least 3-D, got shape {list(x.shape)} [Op:AdjustContrastv2]"
        )
    is_integer = x.value.dtype.kind in "iu"
    if is_integer:
        x = elementwise.cast(x, dtype=np.float32)
    y = run(
        rows.adjust_contrast,
        (x,),
        {"factor": x.value.dtype.type(look(convert_to_tensor(contrast_factor)))},
    )
    if not is_integer:
        return y
    given = convert_to_tensor(images).value.dtype
    info = np.iinfo(given)
    return rounded(y, info, given)


def flip_left_right(image: TensorLike) -> Tensor:
    """Mirror images. Shape: (rows, columns, c), or with an axis of examples before them -> the
    same. Source: `tf.image.flip_left_right`.
    """
    return run(shaping.reverse, (_image(image),), {"axis": -2})


def flip_up_down(image: TensorLike) -> Tensor:
    """Turn images upside down.

    Shape: (rows, columns, c), or with an axis of examples before them -> the same. Source:
    `tf.image.flip_up_down`.
    """
    return run(shaping.reverse, (_image(image),), {"axis": -3})


def total_variation(images: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum of the absolute differences of neighbouring pixels, per image.

    Shape: (n, rows, columns, c) -> (n,), of one image (). Source: `tf.image.total_variation`.
    """
    x = _image(images)
    down, right = x[..., 1:, :, :] - x[..., :-1, :, :], x[..., :, 1:, :] - x[..., :, :-1, :]
    return _sum(elementwise.absolute(down), (-3, -2, -1)) + _sum(
        elementwise.absolute(right), (-3, -2, -1)
    )


def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """Return 0.2989 red + 0.587 green + 0.114 blue, one channel. Shape: (..., 3) -> (..., 1).
    Source: `tf.image.rgb_to_grayscale`.
    """
    x = convert_to_tensor(images)
    weights = Tensor(np.array([0.2989, 0.587, 0.114], x.value.dtype))
    return reductions.reduce_sum(x * weights, axis=-1, keepdims=True)


@again
def rounded(y: Tensor, info: Any, dtype: Any) -> Tensor:
    """Return the nearest whole numbers that the dtype has."""
    return Tensor(np.clip(np.rint(y.value), info.min, info.max).astype(dtype))
