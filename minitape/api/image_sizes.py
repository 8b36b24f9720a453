"""Images made larger and smaller, and cut: the functions of `tf.image` that programs prepare their
images with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import arithmetic, elementwise, reductions
from ..typing import DTypeLike, IntLike, SeedLike, ShapeLike, TensorLike
from .arguments import plain_numbers
from .image import _image, flip_left_right, flip_up_down
from .linear_algebra import einsum
from .random import stream
from .shaping import slice as block


class ResizeMethod:
    """Names of the methods of `resize`. Source: `tf.image.ResizeMethod`."""

    BILINEAR, NEAREST_NEIGHBOR = "bilinear", "nearest"


def weights(before: int, after: int, method: str) -> np.ndarray:
    """Return a matrix (after, before): how much each old row counts in each new one."""
    centre = (np.arange(after) + 0.5) * before / after
    if method == "nearest":
        return np.eye(before, dtype=np.float32)[np.minimum(centre.astype(int), before - 1)]
    place = np.clip(centre - 0.5, 0, before - 1)
    low = place.astype(int)
    share = (place - low)[:, None].astype(np.float32)
    one = np.eye(before, dtype=np.float32)
    return one[low] * (1 - share) + one[np.minimum(low + 1, before - 1)] * share


def resize(
    images: TensorLike,
    size: ShapeLike,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Make images larger or smaller: size is (rows, columns). Returns float32; "nearest" keeps the
    dtype.

    Each new row is a mixture of old ones, and each column: two products with matrices, which tapes
    follow.

    Shape: (n, rows, columns, c) -> (n, *size, c), or without n. Raises ValueError for images of
    another number of axes and for another method than "bilinear" and "nearest". Source:
    `tf.image.resize`.
    """
    x = _image(images)
    if method not in ("bilinear", "nearest") or antialias:
        raise ValueError(
            "resize is not implemented for antialias=True."
            if antialias
            else f"Resize method is not implemented: {method!r}. Use 'bilinear' or 'nearest'."
        )
    if np.shape(size) != (2,):
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    size = plain_numbers(size)
    rows, columns = x.shape[-3], x.shape[-2]
    if preserve_aspect_ratio:
        scale = min(size[0] / rows, size[1] / columns)
        size = [round(rows * scale), round(columns * scale)]
    if size == [rows, columns] and method == "bilinear":
        return elementwise.cast(x, dtype=np.float32)
    given = x.value.dtype
    x = elementwise.cast(x, dtype=np.float32)
    y = einsum("pr,...rcd->...pcd", weights(rows, size[0], method), x)
    y = einsum("qc,...pcd->...pqd", weights(columns, size[1], method), y)
    return y if method == "bilinear" else elementwise.cast(y, dtype=given)


def crop_to_bounding_box(
    image: TensorLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """Cut out a rectangle.

    Shape: (n, rows, columns, c) -> (n, target_height, target_width, c), or without n. Raises
    ValueError where it reaches beyond the image. Source: `tf.image.crop_to_bounding_box`.
    """
    x, (top, left, rows, columns) = (
        _image(image),
        (int(n) for n in (offset_height, offset_width, target_height, target_width)),
    )
    if top < 0 or left < 0 or top + rows > x.shape[-3] or left + columns > x.shape[-2]:
        raise ValueError(
            f"A rectangle of {rows} x {columns} at ({top}, {left}) does not lie within an image "
            f"of shape {x.shape}."
        )
    return x[..., top : top + rows, left : left + columns, :]


def central_crop(image: TensorLike, central_fraction: float) -> Tensor:
    """Cut out the middle.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c), or without n. Raises ValueError for a
    fraction outside of (0, 1]. Source: `tf.image.central_crop`.
    """
    x, fraction = _image(image), float(central_fraction)
    if not 0 < fraction <= 1:
        raise ValueError("central_fraction must be within (0, 1]")
    top, left = [int((n - n * fraction) / 2) for n in x.shape[-3:-1]]
    return x[..., top : x.shape[-3] - top, left : x.shape[-2] - left, :]


@again
def _corner(room: Sequence[int], seed: SeedLike | None) -> Any:
    return Tensor(np.array([stream(seed).integers(n + 1) for n in room], np.int32))


def random_crop(
    value: TensorLike, size: ShapeLike, seed: SeedLike | None = None, name: str | None = None
) -> Tensor:
    """Cut out a block of this size (one length per axis) at a random place.

    Shape: (...) -> `size`. Raises InvalidArgumentError where it is larger than the tensor. Source:
    `tf.image.random_crop`.
    """
    x, size = convert_to_tensor(value), plain_numbers(size)
    room = [n - s for n, s in zip(x.shape, size, strict=True)]
    if min(room, default=0) < 0:
        raise InvalidArgumentError(f"Need value.shape >= size, got {list(x.shape)} and {size}.")
    return block(x, _corner(room, seed), size)


def random_flip_left_right(image: TensorLike, seed: SeedLike | None = None) -> Tensor:
    """Mirror images from left to right, every second one by chance.

    Shape: (rows, columns, c), or with an axis of examples before them -> the same. Source:
    `tf.image.random_flip_left_right`.
    """
    return _flipped(image, seed, flip_left_right)


def random_flip_up_down(image: TensorLike, seed: SeedLike | None = None) -> Tensor:
    """Turn images upside down, every second one by chance.

    Shape: (rows, columns, c), or with an axis of examples before them -> the same. Source:
    `tf.image.random_flip_up_down`.
    """
    return _flipped(image, seed, flip_up_down)


@again
def _coins(n: int, seed: SeedLike | None) -> Any:
    return Tensor(stream(seed).integers(2, size=(n, 1, 1, 1)) == 1)


def _flipped(
    image: TensorLike, seed: SeedLike | None, flip: Callable[[TensorLike], Tensor]
) -> Tensor:
    from .indexing import where

    x = _image(image)
    coins = _coins(x.shape[0] if x.ndim == 4 else 1, seed)
    return where(coins if x.ndim == 4 else coins[0], flip(x), x)


def per_image_standardization(image: TensorLike) -> Tensor:
    """Give each image mean 0 and variance 1 (at least 1 / sqrt(numbers) as deviation).

    Shape: (rows, columns, c), or with an axis of examples before them -> the same. Source:
    `tf.image.per_image_standardization`.
    """
    x = elementwise.cast(_image(image), dtype=np.float32)
    axes, n = (-3, -2, -1), int(np.prod(x.shape[-3:]))
    middle = x - reductions.reduce_mean(x, axis=axes, keepdims=True)
    deviation = elementwise.sqrt(reductions.reduce_mean(middle * middle, axis=axes, keepdims=True))
    return middle / arithmetic.maximum(deviation, Tensor(np.float32(1 / np.sqrt(n))))


def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None
) -> Tensor:
    """Convert to another dtype and its range: floats go from 0 to 1, integers to their largest
    number.

    Shape: (...) -> (...). Source: `tf.image.convert_image_dtype`.
    """
    x, want = convert_to_tensor(image), as_dtype(dtype)
    if x.dtype == want:
        return x
    if x.dtype.is_floating and want.is_floating:
        return elementwise.cast(x, dtype=want.as_numpy_dtype)
    if x.dtype.is_integer and want.is_floating:
        return elementwise.cast(x, dtype=want.as_numpy_dtype) * (1.0 / x.dtype.max)
    if x.dtype.is_floating:
        from .elementwise import cast, saturate_cast

        return (saturate_cast if saturate else cast)(x * (want.max + 0.5), want)
    raise ValueError(f"Convert {x.dtype.name} images to tf.float32 first, and that to {want.name}.")
