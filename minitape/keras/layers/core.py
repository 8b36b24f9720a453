"""The everyday layers: Dense, Embedding, Activation, Lambda, Flatten, Dropout and their like."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ... import nn
from ...api.elementwise import cast
from ...api.indexing import where
from ...api.random import stream
from ...compile.again import again
from ...engine.base.errors import InvalidArgumentError
from ...engine.base.tensor import Tensor
from ...engine.convert import convert_to_tensor
from ...engine.ops import shaping
from ...engine.variable import Variable
from ...typing import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike, TensorLike
from .. import activations
from ..variables import recipe
from .base import Layer


class Dense(Layer):
    """A fully connected layer: activation(inputs @ kernel + bias), along the last axis.

    Shape: (n, ..., inputs) -> (n, ..., units). Raises ValueError where `units` is not a positive
    integer or an input has another length than the first one. Source: `keras.layers.Dense`.
    """

    casts = "fiub"

    def __init__(
        self,
        units: int,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        lora_rank: object = None,
        lora_alpha: object = None,
        quantization_config: object = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if not isinstance(units, (int, np.integer)) or units <= 0:
            raise ValueError(
                "Received an invalid value for `units`, expected a positive integer. Received: "
                f"units={units}"
            )
        self.units, self.use_bias, self.activation = (
            int(units),
            use_bias,
            activations.get(activation),
        )
        self._kernel = recipe(kernel_initializer, kernel_regularizer, kernel_constraint)
        self._bias = recipe(bias_initializer, bias_regularizer, bias_constraint)
        self.bias: Variable | None = None

    def build(self, input_shape: Any) -> None:
        """Make kernel (inputs, units) and bias (units,)."""
        if len(input_shape) < 2:
            self._refuse(tuple(input_shape))
        self.kernel = self.add_weight(
            name="kernel", shape=(input_shape[-1], self.units), **self._kernel
        )
        if self.use_bias:
            self.bias = self.add_weight(name="bias", shape=(self.units,), **self._bias)
        self.built = True

    def call(self, inputs: Tensor, training: bool | None = None) -> Tensor:
        """Return (..., units)."""
        try:
            y = (inputs if inputs.value.ndim == 2 else self._flat(inputs)) @ self.kernel
        except InvalidArgumentError:
            if inputs.dtype is self.kernel.dtype:
                self._refuse(inputs.value.shape)
            raise
        if inputs.value.ndim > 2:
            y = shaping.reshape(y, shape=inputs.value.shape[:-1] + (self.units,))
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is activations.linear else self.activation(y)

    def _flat(self, inputs: Tensor) -> Tensor:
        """Return all vectors of a larger tensor as the rows of one matrix."""
        shape = inputs.value.shape
        if len(shape) < 2 or shape[-1] != self.kernel._tensor.value.shape[0]:
            self._refuse(shape)
        return shaping.reshape(inputs, shape=(prod(shape[:-1]), shape[-1]))

    def _refuse(self, shape: Any) -> Any:
        wrong = (
            f"min_ndim=2, found ndim={len(shape)}"
            if len(shape) < 2
            else f"the last axis to have value {self.kernel.shape[0]}, found {shape[-1]}"
        )
        raise ValueError(
            f'Input 0 of layer "{self.name}" is incompatible with the layer: expected {wrong}. '
            f"Full shape received: {shape}."
            + (" A single example needs an axis more: x[tf.newaxis]." if len(shape) < 2 else "")
        )


class Activation(Layer):
    """Apply an activation function. Shape: (...) -> (...). Source: `keras.layers.Activation`."""

    def __init__(self, activation: ActivationLike, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)

    def call(self, inputs: Tensor) -> Tensor:
        """Return the activation of each number."""
        return self.activation(inputs)


class ReLU(Layer):
    """max(x, 0), optionally with a ceiling, a slope below and a threshold. Shape: (...) -> (...).
    Source: `keras.layers.ReLU`.
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        limits = (
            ("negative_slope", negative_slope),
            ("threshold", threshold),
            ("max_value", 0 if max_value is None else max_value),
        )
        for name, given in limits:
            if given is None or given < 0:
                raise ValueError(
                    f"{name} of a ReLU layer cannot be None or a negative value. Received: "
                    f"{name}={given}"
                )
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Tensor) -> Tensor:
        """Return the activation of each number."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """x above 0, negative_slope * x below; the slope may be called `alpha`, as in older programs.

    Shape: (...) -> (...). Raises ValueError for a negative slope or none. Source:
    `keras.layers.LeakyReLU`.
    """

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        negative_slope = kwargs.pop("alpha", negative_slope)
        super().__init__(**kwargs)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(
                "The negative_slope value of a Leaky ReLU layer cannot be None or negative "
                "value. Expected a float. "
                f"Received: negative_slope={negative_slope}"
            )
        self.negative_slope = negative_slope

    def call(self, inputs: Tensor) -> Tensor:
        """Return the activation of each number."""
        return nn.leaky_relu(inputs, self.negative_slope)


class Softmax(Layer):
    """exp(x) divided by its sum along `axis`. Shape: (...) -> (...). Source:
    `keras.layers.Softmax`.
    """

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Tensor, mask: TensorLike | None = None) -> Tensor:
        """Return the shares; what `mask` leaves out has none."""
        inputs = convert_to_tensor(inputs)
        if mask is not None:
            inputs = where(
                cast(mask, np.float32) > 0.5,
                inputs,
                inputs.dtype.as_numpy_dtype(-1e9 if inputs.dtype.size > 2 else -3e4),
            )
        return nn.softmax(inputs, self.axis)


class Lambda(Layer):
    """Apply a function. Shape: as the function says. Source: `keras.layers.Lambda`."""

    def __init__(
        self,
        function: Callable[..., Any],
        output_shape: object = None,
        mask: object = None,
        arguments: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.function, self._arguments = function, arguments or {}

    def call(self, inputs: Any, training: bool | None = None) -> Any:
        """Return what the function returns."""
        return self.function(inputs, **self._arguments)


class Flatten(Layer):
    """Lay each example out as one vector. Shape: (n, a, b, ...) -> (n, a * b * ...). Source:
    `keras.layers.Flatten`.
    """

    least_axes = 1

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, numbers)."""
        shape = inputs.value.shape
        if self.data_format == "channels_first" and len(shape) > 2:
            inputs = shaping.transpose(inputs, perm=(0, *range(2, len(shape)), 1))
        return shaping.reshape(inputs, shape=(shape[0], prod(shape[1:])))


class Reshape(Layer):
    """Give each example another shape; one -1 is worked out. Shape: (n, ...) -> (n, *target_shape).
    Source: `keras.layers.Reshape`.
    """

    least_axes = 1

    def __init__(self, target_shape: Sequence[int], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(int(n) for n in target_shape)

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, *target_shape)."""
        n = inputs.value.shape[0]
        known = prod(m for m in self.target_shape if m != -1)
        shape = tuple(
            inputs.value.size // max(n * known, 1) if m == -1 else m for m in self.target_shape
        )
        return shaping.reshape(inputs, shape=(n, *shape))


class RepeatVector(Layer):
    """Repeat a vector n times: (examples, n, features).

    Shape: (examples, features) -> (examples, n, features). Source: `keras.layers.RepeatVector`.
    """

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = int(n)

    def call(self, inputs: Tensor) -> Tensor:
        """Return (examples, n, features)."""
        examples, features = inputs.value.shape
        return shaping.broadcast_to(
            shaping.reshape(inputs, shape=(examples, 1, features)),
            shape=(examples, self.n, features),
        )


class Rescaling(Layer):
    """inputs * scale + offset. Shape: (...) -> (...). Source: `keras.layers.Rescaling`."""

    def __init__(self, scale: float, offset: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset

    def call(self, inputs: Tensor) -> Tensor:
        """Return the scaled numbers."""
        x = inputs if inputs.dtype.is_floating else self._input(inputs.value.astype(np.float32))
        return x * self.scale + self.offset


class Dropout(Layer):
    """While training, set a share `rate` of the numbers to zero and scale the others up.

    Shape: (...) -> (...). Source: `keras.layers.Dropout`.
    """

    def __init__(
        self,
        rate: float,
        noise_shape: Sequence[int | None] | None = None,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not 0 <= rate <= 1:
            raise ValueError(
                "Invalid value received for argument `rate`. Expected a float value between 0 "
                f"and 1. Received: rate={rate}"
            )
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self._stream = None if seed is None else np.random.Generator(np.random.PCG64(seed))

    def _shape(self, inputs: Tensor) -> tuple[int, ...]:
        noise = self.noise_shape
        return (
            inputs.value.shape
            if noise is None
            else tuple(n if m is None else m for n, m in zip(inputs.value.shape, noise))
        )

    def call(self, inputs: Tensor, training: bool | None = False) -> Tensor:
        """Return the inputs, thinned out while training."""
        if not training or not self.rate:
            return inputs
        if self.rate == 1:
            return inputs * 0
        return inputs * self._kept(self._shape(inputs), inputs.value.dtype.type)

    @again
    def _kept(self, shape: tuple[int, ...], number: Any) -> Tensor:
        kept = (self._stream or stream()).random(shape, dtype=np.float32) >= self.rate
        return Tensor(kept * number(1 / (1 - self.rate)))


class Embedding(Layer):
    """A table of vectors: whole numbers in, the rows with these numbers out.

    Shape: (n, ...) -> (n, ..., output_dim). Source: `keras.layers.Embedding`.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: InitializerLike = "uniform",
        embeddings_regularizer: RegularizerLike = None,
        embeddings_constraint: ConstraintLike = None,
        mask_zero: bool = False,
        weights: Any = None,
        lora_rank: object = None,
        lora_alpha: object = None,
        quantization_config: object = None,
        **kwargs: Any,
    ) -> None:
        kwargs.pop("input_length", None)  # of older programs: the length is that of the input
        super().__init__(**kwargs)
        if mask_zero:
            raise NotImplementedError(
                "minitape's layers do not pass a mask on to the next one. Leave mask_zero out, "
                "and give the mask to "
                "the layer that uses it: rnn(embedding(ids), mask=ids != 0)."
            )
        self.input_dim, self.output_dim = input_dim, output_dim
        self._table = recipe(embeddings_initializer, embeddings_regularizer, embeddings_constraint)
        self.build(None)
        if weights is not None:
            self.set_weights(weights if isinstance(weights, list) else [weights])

    def build(self, input_shape: Any = None) -> None:
        """Make the table (input_dim, output_dim)."""
        if self.built:
            return
        self.embeddings = self.add_weight(
            name="embeddings", shape=(self.input_dim, self.output_dim), **self._table
        )
        self.built = True

    def call(self, inputs: TensorLike) -> Tensor:
        """Return inputs.shape + (output_dim,)."""
        ids = convert_to_tensor(inputs)
        if ids.value.dtype.kind not in "iu":
            ids = cast(ids, np.int32)
        return nn.embedding_lookup(self.embeddings, ids)


class Identity(Layer):
    """Return the inputs. Shape: (...) -> (...). Source: `keras.layers.Identity`."""

    def call(self, inputs: Tensor) -> Tensor:
        """Return the inputs."""
        return inputs
