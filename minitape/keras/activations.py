"""The bends between layers: `keras.activations`. Without them, a stack of layers would be one
straight map.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import nn
from ..api.missing import offer
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import elementwise
from ..engine.ops.arithmetic import minimum
from ..typing import IntLike, TensorLike
from .naming import made


def gelu(x: Tensor, approximate: bool = False) -> Tensor:
    """Return x times the normal distribution function of x. Shape: (...) -> (...). Source:
    `keras.activations.gelu`.
    """
    return nn.gelu(x, approximate)


def softplus(x: Tensor) -> Tensor:
    """Return log(1 + exp(x)). Shape: (...) -> (...). Source: `keras.activations.softplus`."""
    return nn.softplus(x)


def softsign(x: Tensor) -> Tensor:
    """Return x / (1 + |x|). Shape: (...) -> (...). Source: `keras.activations.softsign`."""
    return nn.softsign(x)


def floating(x: TensorLike) -> Tensor:
    """Return a tensor; whole numbers and booleans as float32. Shape: (...) -> (...)."""
    x = convert_to_tensor(x)
    return elementwise.cast(x, dtype=np.dtype(np.float32)) if x.value.dtype.kind in "iub" else x


def tanh(x: Tensor) -> Tensor:
    """Return the hyperbolic tangent. Shape: (...) -> (...). Source: `keras.activations.tanh`."""
    return nn.tanh(floating(x))


def sigmoid(x: Tensor) -> Tensor:
    """Return 1 / (1 + exp(-x)). Shape: (...) -> (...). Source: `keras.activations.sigmoid`."""
    return nn.sigmoid(x)


def relu6(x: Tensor) -> Tensor:
    """Return x between 0 and 6. Shape: (...) -> (...). Source: `keras.activations.relu6`."""
    return nn.relu6(x)


def linear(x: Tensor) -> Tensor:
    """Return x itself. Shape: (...) -> (...)."""
    return x


def relu(
    x: Tensor, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Tensor:
    """Return max(x, 0), or with a slope below the threshold and a ceiling. Shape: (...) -> (...).
    Source: `keras.activations.relu`.
    """
    if not negative_slope and max_value is None and not threshold:
        return nn.relu(x)
    x = convert_to_tensor(x)
    if threshold:
        above = elementwise.select(x > threshold, x, 0)
        y = above - negative_slope * nn.relu(threshold - x) if negative_slope else above
    else:
        y = nn.leaky_relu(x, negative_slope) if negative_slope else nn.relu(x)
    if max_value is None:
        return y
    if negative_slope and not threshold:  # two halves, as in Keras: at 0 neither has a slope
        return minimum(nn.relu(x), y.value.dtype.type(max_value)) - negative_slope * nn.relu(-x)
    return minimum(y, y.value.dtype.type(max_value))


def leaky_relu(x: Tensor, negative_slope: float = 0.2) -> Tensor:
    """Return x above 0 and negative_slope * x below. Shape: (...) -> (...). Source:
    `keras.activations.leaky_relu`.
    """
    return nn.leaky_relu(x, negative_slope)


def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return x above 0 and alpha * (exp(x) - 1) below. Shape: (...) -> (...). Source:
    `keras.activations.elu`.
    """
    if alpha == 1.0:
        return nn.elu(x)
    x = convert_to_tensor(x)
    return elementwise.select(x > 0, x, alpha * nn.elu(x))


def selu(x: Tensor) -> Tensor:
    """Return the scaled elu. Shape: (...) -> (...). Source: `keras.activations.selu`."""
    return nn.selu(x)


def silu(x: Tensor) -> Tensor:
    """Return x * sigmoid(x). Shape: (...) -> (...). Source: `keras.activations.silu`."""
    return nn.silu(x)


swish = silu


def softmax(x: Tensor, axis: IntLike | None = -1) -> Tensor:
    """Return exp(x) divided by its sum along `axis`. Shape: (...) -> (...). Source:
    `keras.activations.softmax`.
    """
    return nn.softmax(x, axis)


def log_softmax(x: Tensor, axis: IntLike | None = -1) -> Tensor:
    """Return the logarithm of softmax. Shape: (...) -> (...). Source:
    `keras.activations.log_softmax`.
    """
    return nn.log_softmax(x, axis)


_BY_NAME = {
    "linear": linear,
    "relu": relu,
    "relu6": relu6,
    "leaky_relu": leaky_relu,
    "elu": elu,
    "selu": selu,
    "gelu": gelu,
    "silu": silu,
    "swish": silu,
    "sigmoid": sigmoid,
    "tanh": tanh,
    "softplus": softplus,
    "softsign": softsign,
    "softmax": softmax,
    "log_softmax": log_softmax,
}


def get(identifier: Any) -> Callable[..., Any]:
    """Return an activation by name or as it is; None is `linear`. Raises ValueError for an unknown
    name.

    Source: `keras.activations.get`.
    """
    return linear if identifier is None else made("activation function", _BY_NAME, identifier)


__all__ = [
    "elu",
    "gelu",
    "get",
    "leaky_relu",
    "linear",
    "log_softmax",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]
offer(__name__)
