"""Layers for images and sequences beside convolutions: pooling, padding, enlarging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...api import convolutions
from ...api.shaping import repeat
from ...engine.base.tensor import Tensor
from ...engine.ops import reductions, shaping
from .base import Layer


def per_axis(value: Any, n: int = 2) -> tuple[int, ...]:
    """Return n whole numbers of one or several."""
    return (int(value),) * n if np.ndim(value) == 0 else tuple(int(v) for v in value)


def sides(given: Any) -> Any:
    """Return ((top, bottom), (left, right)) of one number, one per axis, or two per axis."""
    return (
        ((given,) * 2,) * 2
        if isinstance(given, int)
        else tuple((n, n) if isinstance(n, int) else tuple(n) for n in given)
    )


def first_or_last(data_format: str | None) -> bool:
    """Return True where channels stand before rows. Raises ValueError for an unknown word."""
    if data_format not in (None, "channels_last", "channels_first"):
        raise ValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: {data_format}"
        )
    return data_format == "channels_first"


def some_left(inputs: Tensor, y: Tensor, window: Any) -> None:
    """Raise ValueError where a window larger than the image has left nothing of it."""
    if 0 in y.value.shape[1:] and 0 not in inputs.value.shape:
        raise ValueError(
            "Computed output size would be zero or negative: a window of "
            f"{' x '.join(map(str, window))} does not fit into an "
            f"input of shape {tuple(inputs.value.shape)}. Use padding='same', a smaller window, "
            "or less pooling before."
        )


class _Pooling(Layer):
    """What all pooling layers share."""

    n, least_axes = 2, property(lambda self: self.n + 2)
    pool: Any = None

    def __init__(
        self,
        pool_size: int | Sequence[int],
        strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.pool_size = per_axis(pool_size, self.n)
        self.strides = self.pool_size if strides is None else per_axis(strides, self.n)
        self.padding, self.data_format = (
            padding.lower(),
            "channels_first" if first_or_last(data_format) else "channels_last",
        )
        self._format = "NCHW" if first_or_last(data_format) else None

    def call(self, inputs: Tensor) -> Tensor:
        """Return one number per window and channel."""
        y = type(self).pool(
            inputs, self.pool_size, self.strides, self.padding.upper(), self._format
        )
        some_left(inputs, y, self.pool_size)
        return y


class MaxPooling2D(_Pooling):
    """The largest number of each window. Shape: (n, rows, columns, c) -> (n, rows', columns', c).
    Source: `keras.layers.MaxPooling2D`.
    """

    pool = staticmethod(convolutions.max_pool2d)

    def __init__(
        self,
        pool_size: int | Sequence[int] = (2, 2),
        strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name, **kwargs)


class AveragePooling2D(_Pooling):
    """The mean of each window. Shape: (n, rows, columns, c) -> (n, rows', columns', c). Source:
    `keras.layers.AveragePooling2D`.
    """

    pool = staticmethod(convolutions.avg_pool2d)


class MaxPooling1D(_Pooling):
    """The largest number of each window of sequences. Shape: (n, steps, c) -> (n, steps', c).
    Source: `keras.layers.MaxPooling1D`.
    """

    n, pool = 1, staticmethod(convolutions.max_pool1d)

    def __init__(
        self,
        pool_size: int | Sequence[int] = 2,
        strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, data_format, name, **kwargs)


class AveragePooling1D(_Pooling):
    """The mean of each window of sequences. Shape: (n, steps, c) -> (n, steps', c). Source:
    `keras.layers.AveragePooling1D`.
    """

    n, pool = 1, staticmethod(convolutions.avg_pool1d)


MaxPool2D, AvgPool2D = MaxPooling2D, AveragePooling2D
MaxPool1D, AvgPool1D = MaxPooling1D, AveragePooling1D


class _GlobalPooling(Layer):
    """What the poolings over all positions share."""

    n, reduce, least_axes = 2, reductions.reduce_mean, property(lambda self: self.n + 2)

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._axes = (
            tuple(range(2, 2 + self.n))
            if first_or_last(data_format)
            else tuple(range(1, 1 + self.n))
        )
        self.keepdims = keepdims

    def call(self, inputs: Tensor) -> Tensor:
        """Return one number per example and channel."""
        return type(self).reduce(inputs, axis=self._axes, keepdims=bool(self.keepdims))


class GlobalAveragePooling2D(_GlobalPooling):
    """The mean over all positions of an image. Shape: (n, rows, columns, c) -> (n, c). Source:
    `keras.layers.GlobalAveragePooling2D`.
    """


class GlobalAveragePooling1D(_GlobalPooling):
    """The mean over all steps of a sequence. Shape: (n, steps, c) -> (n, c). Source:
    `keras.layers.GlobalAveragePooling1D`.
    """

    n = 1


class GlobalMaxPooling2D(_GlobalPooling):
    """The largest number over all positions of an image.

    Shape: (n, rows, columns, c) -> (n, c). Source: `keras.layers.GlobalMaxPooling2D`.
    """

    reduce = reductions.reduce_max


class GlobalMaxPooling1D(_GlobalPooling):
    """The largest number over all steps of a sequence. Shape: (n, steps, c) -> (n, c). Source:
    `keras.layers.GlobalMaxPooling1D`.
    """

    n, reduce = 1, reductions.reduce_max


class ZeroPadding2D(Layer):
    """Put a margin of zeros around images.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c). Source: `keras.layers.ZeroPadding2D`.
    """

    least_axes = 4

    def __init__(
        self, padding: Any = (1, 1), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.padding, self._first = sides(padding), first_or_last(data_format)

    def call(self, inputs: Tensor) -> Tensor:
        """Return the larger images."""
        return shaping.pad(
            inputs,
            paddings=((0, 0), (0, 0), *self.padding)
            if self._first
            else ((0, 0), *self.padding, (0, 0)),
        )


class Cropping2D(Layer):
    """Cut rows and columns off at the edges of images: one number, or two per axis.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c). Source: `keras.layers.Cropping2D`.
    """

    least_axes = 4

    def __init__(
        self, cropping: Any = ((0, 0), (0, 0)), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.cropping, self._first = sides(cropping), first_or_last(data_format)

    def call(self, inputs: Tensor) -> Tensor:
        """Return the smaller images."""
        axes = inputs.shape[2:] if self._first else inputs.shape[1:3]
        rows, columns = [slice(a, n - b) for n, (a, b) in zip(axes, self.cropping)]
        return inputs[:, :, rows, columns] if self._first else inputs[:, rows, columns]


class UpSampling2D(Layer):
    """Repeat rows and columns. Shape: (n, rows, columns, c) -> (n, k * rows, k * columns, c).
    Source: `keras.layers.UpSampling2D`.
    """

    least_axes = 4

    def __init__(
        self,
        size: int | Sequence[int] = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if interpolation != "nearest":
            raise NotImplementedError("UpSampling2D knows only interpolation='nearest' here.")
        self.size, self._first = per_axis(size), first_or_last(data_format)
        if min(self.size) < 1:
            raise ValueError(
                "The `size` argument must be a tuple of 2 integers larger than 0. Received "
                f"size={size}"
            )

    def call(self, inputs: Tensor) -> Tensor:
        """Return the larger images."""
        rows = 2 if self._first else 1
        return repeat(repeat(inputs, self.size[0], axis=rows), self.size[1], axis=rows + 1)
