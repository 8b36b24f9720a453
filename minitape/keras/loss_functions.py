"""How wrong a prediction is, one number per example. The true values come first.

The names of `keras.losses` stand in `losses.py`, beside the classes that average over examples.
"""

from __future__ import annotations

import numpy as np

from .. import nn
from ..api.reductions import l2_normalize, reduce_sum
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import arithmetic, elementwise, reductions, shaping
from ..engine.ops.comparison import less_equal
from ..engine.ops.further import lengths, neural_nets
from ..engine.ops.record import run
from ..typing import TensorLike
from .activations import floating

EPSILON = 1e-7


def both(y_true: TensorLike, y_pred: TensorLike) -> tuple[Tensor, Tensor]:
    """Return both as tensors of one floating dtype and one number of axes."""
    p = convert_to_tensor(y_pred)
    t = convert_to_tensor(y_true)
    if t.value.dtype is not p.value.dtype and t.value.dtype != p.value.dtype:
        t = elementwise.cast(t, dtype=p.value.dtype)
    return aligned(t, p)


def aligned(t: Tensor, p: Tensor) -> tuple[Tensor, Tensor]:
    """Give or take a last axis of length 1, so that labels (n,) fit predictions (n, 1)."""
    if abs(t.ndim - p.ndim) != 1:
        return t, p
    longer, shorter = (t, p) if t.ndim > p.ndim else (p, t)
    if longer.value.shape[-1] == 1:
        if shorter.ndim == 1:
            shorter = shaping.reshape(shorter, shape=(*shorter.value.shape, 1))
        else:
            longer = shaping.reshape(longer, shape=tuple(longer.value.shape[:-1]))
    return (longer, shorter) if t.ndim > p.ndim else (shorter, longer)


def mean_of(x: Tensor) -> Tensor:
    """Return the mean along the last axis, of whole numbers too."""
    return run(reductions.reduce_mean, (floating(x),), {"axis": -1, "keepdims": False})


def sum_of(x: Tensor, axis: int) -> Tensor:
    """Return the sum along an axis."""
    return reductions.reduce_sum(x, axis=axis, keepdims=False)


def at_least(x: Tensor, least: float) -> Tensor:
    """Return the larger of x and a number."""
    return arithmetic.maximum(x, x.value.dtype.type(least))


def clipped(x: Tensor) -> Tensor:
    """Keep probabilities off 0 and 1, where a logarithm would not exist."""
    return arithmetic.minimum(at_least(x, EPSILON), x.value.dtype.type(1 - EPSILON))


def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return mean((y_true - y_pred)^2) along the last axis. Shape: both (n, ..., k) -> (n, ...).
    Source: `keras.losses.MSE`.
    """
    t, p = both(y_true, y_pred)
    return mean_of(lengths.squared_difference(t, p))


def mean_absolute_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return mean(|y_true - y_pred|) along the last axis. Shape: both (n, ..., k) -> (n, ...).
    Source: `keras.losses.MAE`.
    """
    t, p = both(y_true, y_pred)
    return mean_of(elementwise.absolute(t - p))


def cosine_similarity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Return the cosine of the angle between both. Shape: both (n, ..., k) -> (n, ...). Source:
    `keras.losses.cosine_similarity`.
    """
    t, p = both(y_true, y_pred)
    return sum_of(l2_normalize(t, axis) * l2_normalize(p, axis), axis)


def _signed(t: Tensor) -> Tensor:
    """Return labels -1 and 1 where they were given as 0 and 1."""
    binary = reductions.reduce_all((t == 0) | (t == 1), axis=None, keepdims=False)
    return elementwise.select(binary, 2.0 * t - 1.0, t)


def mean_absolute_percentage_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 100 * mean(|y_true - y_pred| / |y_true|). Shape: both (n, ..., k) -> (n, ...). Source:
    `keras.losses.mape`.
    """
    t, p = both(y_true, y_pred)
    return 100.0 * mean_of(
        elementwise.absolute((t - p) / at_least(elementwise.absolute(t), EPSILON))
    )


def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return mean((log(1 + y_true) - log(1 + y_pred))^2). Shape: both (n, ..., k) -> (n, ...).
    Source: `keras.losses.msle`.
    """
    t, p = both(y_true, y_pred)
    first, second = (elementwise.log(at_least(x, EPSILON) + 1.0) for x in (p, t))
    return mean_of(lengths.squared_difference(first, second))


def hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return mean(max(1 - y_true * y_pred, 0)); labels 0 and 1 become -1 and 1.

    Shape: both (n, ..., k) -> (n, ...). Source: `keras.losses.hinge`.
    """
    t, p = both(y_true, y_pred)
    return mean_of(at_least(1.0 - _signed(t) * p, 0))


def huber(y_true: TensorLike, y_pred: TensorLike, delta: float = 1.0) -> Tensor:
    """Return the mean of e^2 / 2 for small errors, delta |e| - delta^2 / 2 for others.

    Shape: both (n, ..., k) -> (n, ...). Source: `keras.losses.huber`.
    """
    t, p = both(y_true, y_pred)
    e = elementwise.absolute(p - t)
    delta = e.value.dtype.type(delta)
    return mean_of(
        elementwise.select(
            less_equal(e, delta), 0.5 * elementwise.square(e), delta * e - 0.5 * delta * delta
        )
    )


def kl_divergence(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return sum(y_true * log(y_true / y_pred)). Shape: both (n, ..., k) -> (n, ...). Source:
    `keras.losses.kld`.
    """
    t, p = both(y_true, y_pred)
    t, p = (arithmetic.minimum(at_least(x, EPSILON), x.value.dtype.type(1)) for x in (t, p))
    return reduce_sum(t * elementwise.log(t / p), axis=-1)


def binary_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """Return the mean cross-entropy of yes-or-no labels.

    Shape: both (n, ..., k) -> (n, ...). Source: `keras.losses.binary_crossentropy`.
    """
    t, p = both(y_true, y_pred)
    if label_smoothing:
        t = t * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return reductions.reduce_mean(_binary(t, p, from_logits), axis=axis, keepdims=False)


def _binary(t: Tensor, p: Tensor, from_logits: bool) -> Tensor:
    if from_logits:
        return nn.sigmoid_cross_entropy_with_logits(labels=t, logits=p)
    p = clipped(p)
    return -(t * elementwise.log(p) + (1.0 - t) * elementwise.log(1.0 - p))


def categorical_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """Return -sum(y_true * log(y_pred)) for one-hot labels.

    Shape: both (n, ..., k) -> (n, ...). Raises ValueError for other shapes. Source:
    `keras.losses.categorical_crossentropy`.
    """
    p = convert_to_tensor(y_pred)
    t = convert_to_tensor(y_true)
    if t.value.dtype != p.value.dtype:
        t = elementwise.cast(t, dtype=p.value.dtype)
    if not (t.value.ndim and p.value.ndim):
        raise ValueError(
            "Arguments `target` and `output` must be at least rank 1. Received: "
            f"target.shape={t.shape}, "
            f"output.shape={p.shape}"
        )
    if label_smoothing and p.value.size:
        t = t * (1.0 - label_smoothing) + label_smoothing / p.value.shape[-1]
    if t.value.shape != p.value.shape:
        raise ValueError(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={t.shape}, "
            f"output.shape={p.shape}. "
            "For labels that are numbers of classes use sparse_categorical_crossentropy."
        )
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(labels=t, logits=p, axis=axis)
    p = p / reductions.reduce_sum(p, axis=axis, keepdims=True)
    return -sum_of(t * elementwise.log(clipped(p)), axis)


def sparse_categorical_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Tensor:
    """Return -log of the probability of the true class, a whole number.

    Shape: y_true (n, ...), y_pred (n, ..., classes) -> (n, ...). Raises ValueError for shapes that
    do not fit.

    Source: `keras.losses.sparse_categorical_crossentropy`.
    """
    p, t = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    if (
        from_logits
        and axis == -1
        and ignore_class is None
        and t.value.dtype.kind in "iu"
        and t.value.shape == p.value.shape[:-1]
    ):
        return run(neural_nets.sparse_cross_entropy, (p, t))  # the usual case
    if not p.ndim:
        raise ValueError(f"`y_pred` must have an axis of classes, got shape {p.shape}.")
    if t.ndim == p.ndim and t.value.shape[-1] == 1:
        t = shaping.reshape(t, shape=t.value.shape[:-1])
    if axis not in (-1, p.ndim - 1):
        p = shaping.transpose(
            p, perm=tuple(k for k in range(p.ndim) if k != axis % p.ndim) + (axis % p.ndim,)
        )
    if t.value.shape != p.value.shape[:-1]:
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last "
            f"dimension: target.shape={t.shape}, "
            f"output.shape={p.shape}"
        )
    if t.value.dtype.kind not in "iu":
        t = elementwise.cast(t, dtype=np.int64)
    ignored = None
    if ignore_class is not None:
        ignored = t == ignore_class
        t = elementwise.select(ignored, 0, t)
    if not from_logits:
        p = elementwise.log(clipped(p))
    loss = run(neural_nets.sparse_cross_entropy, (p, t))
    return loss if ignored is None else elementwise.select(ignored, 0, loss)
