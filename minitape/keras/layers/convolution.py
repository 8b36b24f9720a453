"""Convolutional layers for images and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...api import convolutions
from ...engine.base.tensor import Tensor
from ...engine.ops import shaping
from ...engine.variable import Variable
from ...typing import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from .. import activations
from ..variables import recipe
from .base import Layer
from .images import first_or_last, per_axis, some_left


class _Conv(Layer):
    """What all convolutional layers share: a kernel, a bias and an activation. `n` axes are
    convolved.
    """

    n, least_axes = 2, property(lambda self: self.n + 2)
    filters: Any  # how many, a number; None where there is one per channel

    def __init__(
        self,
        filters: int | None,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = (1, 1),
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = (1, 1),
        groups: int = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if groups <= 0:
            raise ValueError(
                "Invalid value for argument `groups`. Expected a positive number. Received "
                f"groups={groups}."
            )
        if filters is not None and (filters <= 0 or filters % groups):
            raise ValueError(
                "Invalid value for argument `filters`. Expected a positive multiple of "
                f"groups={groups}. Received "
                f"filters={filters}."
            )
        if str(padding).lower() not in ("valid", "same", "causal"):
            raise ValueError(
                f"The `padding` argument must be one of 'valid', 'same'. Received: {padding}"
            )
        self.filters, self.groups, self.use_bias, self.activation = (
            filters,
            groups,
            use_bias,
            activations.get(activation),
        )
        self.kernel_size, self.strides = per_axis(kernel_size, self.n), per_axis(strides, self.n)
        self.dilation_rate = per_axis(dilation_rate, self.n)
        self.padding, self.data_format = (
            padding.lower(),
            "channels_first" if first_or_last(data_format) else "channels_last",
        )
        self._kernel = recipe(kernel_initializer, kernel_regularizer, kernel_constraint)
        self._bias = recipe(bias_initializer, bias_regularizer, bias_constraint)
        self.bias: Variable | None = None
        self._format = "NCHW" if first_or_last(data_format) else None

    def _make(
        self, kernel_shape: tuple[int, ...], bias_shape: Any, name: str = "kernel"
    ) -> Variable:
        kernel = self.add_weight(name=name, shape=kernel_shape, **self._kernel)
        if self.use_bias:
            self.bias = self.add_weight(name="bias", shape=bias_shape, **self._bias)
        self.built = True
        return kernel

    def build(self, input_shape: Any) -> None:
        """Make kernel (window, channels in / groups, filters) and bias (filters,)."""
        channels = input_shape[-1]
        if channels % self.groups:
            raise ValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                "Received "
                f"groups={self.groups}, "
                f"but the input has {channels} channels (full input shape is {input_shape})."
            )
        self.kernel = self._make(
            (*self.kernel_size, channels // self.groups, self.filters), (self.filters,)
        )

    def _finish(self, inputs: Tensor, y: Tensor) -> Tensor:
        some_left(inputs, y, self.kernel_size)
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)


class Conv2D(_Conv):
    """Slide filters over images: (examples, rows, columns, channels).

    Shape: (n, rows, columns, channels) -> (n, rows', columns', filters). Source:
    `keras.layers.Conv2D`.
    """

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, rows, columns, filters)."""
        y = convolutions.conv2d(
            inputs,
            self.kernel._read(),
            self.strides,
            self.padding.upper(),
            self._format,
            self.dilation_rate,
        )
        return self._finish(inputs, y)


class Conv1D(_Conv):
    """Slide filters over sequences: (examples, steps, channels); "causal" looks only back.

    Shape: (n, steps, channels) -> (n, steps', filters). Source: `keras.layers.Conv1D`.
    """

    n = 1

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = 1,
        groups: int = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            groups,
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            **kwargs,
        )

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, steps, filters)."""
        padding = self.padding.upper()
        if padding == "CAUSAL":
            left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            inputs, padding = shaping.pad(inputs, paddings=((0, 0), (left, 0), (0, 0))), "VALID"
        y = convolutions.conv1d(
            inputs, self.kernel._read(), self.strides, padding, self._format, self.dilation_rate
        )
        return self._finish(inputs, y)


class Conv2DTranspose(_Conv):
    """The reverse of a convolution in shape: images grow by the strides.

    Shape: (n, rows, columns, channels) -> (n, rows', columns', filters). Source:
    `keras.layers.Conv2DTranspose`.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = (1, 1),
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = (1, 1),
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            1,
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            **kwargs,
        )
        if output_padding is not None:
            raise NotImplementedError(
                "Conv2DTranspose has no output_padding here; use tf.nn.conv2d_transpose with the "
                "output_shape you "
                "want."
            )

    def build(self, input_shape: Any) -> None:
        """Make kernel (window, filters, channels in) and bias."""
        self.kernel = self._make(
            (*self.kernel_size, self.filters, input_shape[-1]), (self.filters,)
        )

    def call(self, inputs: Tensor) -> Tensor:
        """Return the larger images."""
        shape = inputs.value.shape
        sides = [
            n * s + (max((k - 1) * d + 1 - s, 0) if self.padding == "valid" else 0)
            for n, s, k, d in zip(shape[1:3], self.strides, self.kernel_size, self.dilation_rate)
        ]
        y = convolutions.conv2d_transpose(
            inputs,
            self.kernel._read(),
            (shape[0], *sides, self.filters),
            self.strides,
            self.padding.upper(),
            self._format,
            self.dilation_rate,
        )
        return self._finish(inputs, y)


class DepthwiseConv2D(_Conv):
    """Slide filters of their own over each channel.

    Shape: (n, rows, columns, c) -> (n, rows', columns', c * depth_multiplier). Source:
    `keras.layers.DepthwiseConv2D`.
    """

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = (1, 1),
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = (1, 1),
        activation: ActivationLike = None,
        use_bias: bool = True,
        depthwise_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        depthwise_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        depthwise_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            None,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            1,
            activation,
            use_bias,
            depthwise_initializer,
            bias_initializer,
            depthwise_regularizer,
            bias_regularizer,
            activity_regularizer,
            depthwise_constraint,
            bias_constraint,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier

    def build(self, input_shape: Any) -> None:
        """Make kernel (window, channels, multiplier) and bias."""
        channels = input_shape[-1]
        self.kernel = self._make(
            (*self.kernel_size, channels, self.depth_multiplier),
            (channels * self.depth_multiplier,),
        )

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, rows, columns, channels * multiplier)."""
        y = convolutions.depthwise_conv2d(
            inputs,
            self.kernel._read(),
            self.strides,
            self.padding.upper(),
            self._format,
            self.dilation_rate,
        )
        return self._finish(inputs, y)


class SeparableConv2D(_Conv):
    """A depthwise convolution, then a mix of the channels.

    Shape: (n, rows, columns, channels) -> (n, rows', columns', filters). Source:
    `keras.layers.SeparableConv2D`.
    """

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = (1, 1),
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = (1, 1),
        depth_multiplier: int = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        depthwise_initializer: InitializerLike = "glorot_uniform",
        pointwise_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        depthwise_regularizer: RegularizerLike = None,
        pointwise_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        depthwise_constraint: ConstraintLike = None,
        pointwise_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            1,
            activation,
            use_bias,
            depthwise_initializer,
            bias_initializer,
            depthwise_regularizer,
            bias_regularizer,
            activity_regularizer,
            depthwise_constraint,
            bias_constraint,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier
        self._pointwise = recipe(pointwise_initializer, pointwise_regularizer, pointwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Make both kernels and the bias."""
        channels, use_bias = input_shape[-1], self.use_bias
        self.use_bias = False
        self.depthwise_kernel = self._make(
            (*self.kernel_size, channels, self.depth_multiplier), None, "depthwise_kernel"
        )
        self.use_bias, self._kernel = use_bias, self._pointwise
        self.pointwise_kernel = self._make(
            (1, 1, channels * self.depth_multiplier, self.filters),
            (self.filters,),
            "pointwise_kernel",
        )

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, rows, columns, filters)."""
        y = convolutions.separable_conv2d(
            inputs,
            self.depthwise_kernel._read(),
            self.pointwise_kernel._read(),
            self.strides,
            self.padding.upper(),
            self._format,
            self.dilation_rate,
        )
        return self._finish(inputs, y)
