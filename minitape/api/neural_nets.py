"""Building blocks of neural networks: the functions that `tf.nn` exports.

Activations, softmax and losses, normalisation, dropout and embeddings stand here; convolutions and
pooling in `convolutions.py`, under the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.operators import one, operand
from ..engine.ops import arithmetic, elementwise, indexing, reductions, shaping
from ..engine.ops.further import lengths
from ..engine.ops.further import neural_nets as rows
from ..engine.ops.record import Op, run
from ..typing import AxisLike, IntLike, ScalarLike, SeedLike, ShapeLike, TensorLike
from .arguments import FLOATS, NUMBERS, only, plain_numbers, shape_of
from .elementwise import cast
from .random import stream

# ---- activations


def activated(op: Op, x: TensorLike, kinds: str = "f", **attributes: Any) -> Tensor:
    """Run an operation that takes these kinds of dtypes: f floating, i and u integers. Raises
    `InvalidArgumentError`.
    """
    return run(op, (only(kinds, op, convert_to_tensor(x)),), attributes or None)


def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return max(x, 0); the slope at 0 is 0. Shape: (...) -> (...). Source: `tf.nn.relu`."""
    return activated(rows.relu, features, "fiu")


def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """Return x between 0 and 6. Shape: (...) -> (...). Source: `tf.nn.relu6`."""
    return activated(rows.relu6, features, "fiu")


def leaky_relu(features: TensorLike, alpha: ScalarLike = 0.2, name: str | None = None) -> Tensor:
    """Return x above 0 and alpha * x below; integers become float32. Shape: (...) -> (...). Source:
    `tf.nn.leaky_relu`.
    """
    x = convert_to_tensor(features)
    return activated(
        rows.leaky_relu, cast(x, "float32") if x.dtype.is_integer else x, alpha=float(alpha)
    )


def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return x above 0 and exp(x) - 1 below. Shape: (...) -> (...). Source: `tf.nn.elu`."""
    return activated(rows.elu, features)


def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return the scaled elu of self-normalizing networks. Shape: (...) -> (...). Source:
    `tf.nn.selu`.
    """
    return activated(rows.selu, features)


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Return x times the normal distribution function of x, or its approximation by tanh. Shape:
    (...) -> (...). Source: `tf.nn.gelu`.
    """
    return activated(rows.gelu_tanh if approximate else rows.gelu, features)


def silu(features: TensorLike, beta: ScalarLike = 1.0) -> Tensor:
    """Return x * sigmoid(beta * x). Shape: (...) -> (...). Source: `tf.nn.silu`."""
    x = convert_to_tensor(features)
    return x * one(elementwise.sigmoid, x if type(beta) is float and beta == 1.0 else x * beta)


swish = silu


def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Return x / (1 + |x|). Shape: (...) -> (...). Source: `tf.nn.softsign`."""
    return activated(rows.softsign, features)


# ---- softmax and losses


def _axis(x: Tensor, axis: Any) -> int:
    axis = -1 if axis is None else int(axis)
    if not -x.ndim <= axis < max(x.ndim, 1):
        raise InvalidArgumentError(f"`axis` {axis} does not exist in a tensor of shape {x.shape}.")
    return axis if axis < 0 else axis - x.ndim


def softmax(logits: TensorLike, axis: IntLike | None = None, name: str | None = None) -> Tensor:
    """Return exp(x) divided by its sum along `axis` (the last by default). Shape: (...) -> (...).
    Source: `tf.nn.softmax`.
    """
    x = only(FLOATS, rows.softmax, convert_to_tensor(logits))
    return run(rows.softmax, (x,), {"axis": _axis(x, axis)})


def log_softmax(logits: TensorLike, axis: IntLike | None = None, name: str | None = None) -> Tensor:
    """Return the logarithm of softmax. Shape: (...) -> (...). Source: `tf.nn.log_softmax`."""
    x = only(FLOATS, rows.log_softmax, convert_to_tensor(logits))
    return run(rows.log_softmax, (x,), {"axis": _axis(x, axis)})


def _both(labels: TensorLike | None, logits: TensorLike | None) -> tuple[Tensor, Tensor]:
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")
    x = convert_to_tensor(logits)
    return labels if type(labels) is Tensor else operand(labels, x), x


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: IntLike = -1, name: str | None = None
) -> Tensor:
    """Return -sum(labels * log_softmax(logits)) along `axis`: one loss per example.

    Shape: labels and logits (..., classes) -> (...). Source:
    `tf.nn.softmax_cross_entropy_with_logits`.
    """
    t, x = [
        only(kinds, rows.cross_entropy, z)
        for kinds, z in zip((NUMBERS + "b", FLOATS), _both(labels, logits))
    ]
    if t.value.dtype != x.value.dtype:
        t = elementwise.cast(t, dtype=x.value.dtype)
    axis = _axis(x, axis)
    if axis != -1:
        order = [k for k in range(x.ndim) if k != x.ndim + axis] + [x.ndim + axis]
        t, x = (shaping.transpose(z, perm=tuple(order)) for z in (t, x))
    if t.value.shape != x.value.shape:
        try:
            shape = np.broadcast_shapes(t.value.shape, x.value.shape)
        except ValueError:
            raise InvalidArgumentError(
                f"logits and labels must be broadcastable: logits_size={x.shape} "
                f"labels_size={t.shape}. "
                "For labels that are numbers of classes use "
                "tf.nn.sparse_softmax_cross_entropy_with_logits."
            ) from None
        t, x = (
            z if z.value.shape == shape else shaping.broadcast_to(z, shape=shape) for z in (t, x)
        )
    return run(rows.cross_entropy, (x, t))


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Tensor:
    """Return -log_softmax(logits)[label] for every example; `labels` are numbers of classes, of the
    shape of `logits` without its last axis.

    Shape: labels (...), logits (..., classes) -> (...). Raises `InvalidArgumentError` for a label
    out of range, ValueError for other shapes. Source:
    `tf.nn.sparse_softmax_cross_entropy_with_logits`.
    """
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")
    t, x = (
        convert_to_tensor(labels),
        only(FLOATS, rows.sparse_cross_entropy, convert_to_tensor(logits)),
    )
    if t.value.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Labels must be integers, the numbers of classes, but have dtype {t.dtype.name}. "
            "For one-hot labels use tf.nn.softmax_cross_entropy_with_logits."
        )
    if t.value.shape != x.value.shape[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={t.shape} "
            f"and logits.shape={x.shape}"
        )
    return run(rows.sparse_cross_entropy, (x, t))


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return -t log(s) - (1 - t) log(1 - s) with s = sigmoid(logits), elementwise.

    Shape: both (...) -> (...). Source: `tf.nn.sigmoid_cross_entropy_with_logits`.
    """
    t, x = _both(labels, logits)
    if t.value.shape != x.value.shape:
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({x.shape} vs {t.shape})."
        )
    return run(rows.sigmoid_cross_entropy, (only(FLOATS, rows.sigmoid_cross_entropy, x), t))


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return half the sum of the squares. Shape: (...) -> (). Source: `tf.nn.l2_loss`."""
    return activated(rows.l2_loss, t)


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """Return the sum of penalties, as one machine's share of them: all. Shape: (...) -> (). Source:
    `tf.nn.scale_regularization_loss`.
    """
    loss = convert_to_tensor(regularization_loss)
    return reductions.reduce_sum(
        cast(loss, "float64") if loss.dtype.is_integer else loss, axis=None, keepdims=False
    )


# ---- bias, normalisation, dropout, embeddings


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Add a vector to the last axis (the second one for data formats that begin with NC).

    Shape: (...) -> (...). Raises ValueError, `InvalidArgumentError`. Source: `tf.nn.bias_add`.
    """
    x = convert_to_tensor(value)
    b = bias if type(bias) is Tensor else operand(bias, x)
    if data_format is not None and not str(data_format).startswith("N"):
        raise ValueError("`data_format` must be of the form `N...C` or `NC...`")
    first = data_format is not None and str(data_format).startswith("NC")
    if b.ndim != 1 or x.ndim < 2 or b.value.shape[0] != x.value.shape[1 if first else -1]:
        raise InvalidArgumentError(
            f"Must provide as many biases as the {'second' if first else 'last'} dimension of "
            "the input tensor: "
            f"{list(b.shape)} vs. {list(x.shape)} [Op:BiasAdd]"
        )
    if first:
        b = shaping.reshape(b, shape=(b.value.shape[0],) + (1,) * (x.ndim - 2))
    return run(rows.bias_add, (x, b))


def _axes(x: Tensor, axes: Any) -> tuple[int, ...]:
    if axes is None:
        return tuple(range(x.ndim))
    axes = axes.value if isinstance(axes, Tensor) else axes
    return tuple(int(a) for a in (axes if np.ndim(axes) else [axes]))


def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: object = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance along `axes`.

    Shape: (...) -> two tensors without the axes of `axes`; with `keepdims` they stay, of length 1.
    Source: `tf.nn.moments`.
    """
    x = convert_to_tensor(x)
    axes = _axes(x, axes)
    mean = reductions.reduce_mean(x, axis=axes, keepdims=True)
    variance = reductions.reduce_mean(
        lengths.squared_difference(x, elementwise.stop_gradient(mean)), axis=axes, keepdims=keepdims
    )
    if not keepdims:
        mean = shaping.reshape(mean, shape=tuple(variance.value.shape))
    return mean, variance


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike | None,
    scale: TensorLike | None,
    variance_epsilon: ScalarLike,
    name: str | None = None,
) -> Tensor:
    """Return scale * (x - mean) / sqrt(variance + variance_epsilon) + offset.

    Shape: x (...), the others broadcast to it -> (...). Source: `tf.nn.batch_normalization`.
    """
    x = convert_to_tensor(x)
    inverse = elementwise.rsqrt(convert_to_tensor(variance) + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    centre: Any = mean
    shift = -centre * inverse if offset is None else offset - centre * inverse
    inverse, shift = [
        z if z.value.dtype == x.value.dtype else elementwise.cast(z, dtype=x.value.dtype)
        for z in (inverse, shift)
    ]
    return x * inverse + shift


def dropout(
    x: TensorLike,
    rate: ScalarLike,
    noise_shape: ShapeLike | None = None,
    seed: SeedLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Set a share `rate` of the numbers to zero, at random, and divide the others by 1 - rate.

    Shape: (...) -> (...). Raises ValueError unless 0 <= rate < 1. Source: `tf.nn.dropout`.
    """
    x = convert_to_tensor(x)
    share: Any = plain_numbers(rate) if isinstance(rate, Tensor) else rate
    if not 0 <= share < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={share}"
        )
    if x.value.dtype.kind != "f":
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"x.dtype={x.dtype}"
        )
    if share == 0:
        return x
    shape = (
        x.value.shape
        if noise_shape is None
        else tuple(
            n if m is None else int(m)
            for n, m in zip(
                x.value.shape,
                noise_shape if isinstance(noise_shape, (list, tuple)) else shape_of(noise_shape),
            )
        )
    )
    return x * kept(shape, share, x.value.dtype.type, seed)


@again
def kept(shape: Sequence[int], rate: float, number: Any, seed: SeedLike | None) -> Tensor:
    """Draw which numbers a dropout keeps: 1 / (1 - rate) for those, 0 for the others."""
    return Tensor(
        ((stream(seed).random(shape, dtype=np.float32) >= rate) * number(1 / (1 - rate)))[()]
    )


def embedding_lookup(
    params: TensorLike, ids: TensorLike, max_norm: ScalarLike | None = None, name: str | None = None
) -> Tensor:
    """Return the rows of `params` with the numbers `ids`: shape ids.shape + params.shape[1:]. With
    `max_norm`, longer rows are shortened.

    Shape: params (rows, ...), ids (...) -> (ids..., ...). Raises `InvalidArgumentError` for numbers
    out of range. Source: `tf.nn.embedding_lookup`.
    """
    params, ids = convert_to_tensor(params), convert_to_tensor(ids)
    rows = run(indexing.gather, (params, ids), {"axis": -params.ndim})
    if max_norm is None:
        return rows
    axes = tuple(range(-rows.ndim + ids.ndim, 0))
    length = elementwise.sqrt(reductions.reduce_sum(rows * rows, axis=axes, keepdims=True))
    limit = length.value.dtype.type(max_norm)
    return rows * (limit / arithmetic.maximum(length, limit))
