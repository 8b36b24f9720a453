"""How wrong a prediction is: `keras.losses`.

The functions give one loss per example; the classes average them (`reduction`). Both take the true values first.
"""

import numpy as np

from .. import nn
from ..api.reductions import l2_normalize
from ..engine.again import look
from ..engine.dtypes import as_dtype
from ..engine.ops import arithmetic, elementwise, neural_nets, reductions, shaping
from ..engine.ops.comparison import less_equal
from ..engine.record import run
from ..engine.tensor import Tensor
from ..engine.variable import convert_to_tensor

EPSILON = 1e-7
FLOAT32 = np.dtype(np.float32)
WHOLE = {"axis": None, "keepdims": False}


def both(y_true, y_pred):
    """Return both as tensors of one floating dtype and one number of axes."""
    p = convert_to_tensor(y_pred)
    t = convert_to_tensor(y_true)
    if t.value.dtype is not p.value.dtype and t.value.dtype != p.value.dtype:
        t = elementwise.cast(t, dtype=p.value.dtype)
    return aligned(t, p)


def aligned(t, p):
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


def mean_of(x):
    """Return the mean along the last axis."""
    return run(reductions.reduce_mean, (x,), {"axis": -1, "keepdims": False})


def sum_of(x, axis=-1):
    """Return the sum along an axis."""
    return reductions.reduce_sum(x, axis=axis, keepdims=False)


def at_least(x, least):
    """Return the larger of x and a number."""
    return arithmetic.maximum(x, x.value.dtype.type(least))


def clipped(x):
    """Keep probabilities off 0 and 1, where a logarithm would not exist."""
    return arithmetic.minimum(at_least(x, EPSILON), x.value.dtype.type(1 - EPSILON))


def mean_squared_error(y_true, y_pred):
    """Return mean((y_true - y_pred)^2) along the last axis. Source: `keras.losses.MSE`."""
    t, p = both(y_true, y_pred)
    return mean_of(arithmetic.squared_difference(t, p))


def mean_absolute_error(y_true, y_pred):
    """Return mean(|y_true - y_pred|) along the last axis. Source: `keras.losses.MAE`."""
    t, p = both(y_true, y_pred)
    return mean_of(elementwise.absolute(t - p))


def mean_absolute_percentage_error(y_true, y_pred):
    """Return 100 * mean(|y_true - y_pred| / |y_true|). Source: `keras.losses.mape`."""
    t, p = both(y_true, y_pred)
    return 100.0 * mean_of(elementwise.absolute((t - p) / at_least(elementwise.absolute(t), EPSILON)))


def mean_squared_logarithmic_error(y_true, y_pred):
    """Return mean((log(1 + y_true) - log(1 + y_pred))^2). Source: `keras.losses.msle`."""
    t, p = both(y_true, y_pred)
    first, second = (elementwise.log(at_least(x, EPSILON) + 1.0) for x in (p, t))
    return mean_of(arithmetic.squared_difference(first, second))


def cosine_similarity(y_true, y_pred, axis=-1):
    """Return the cosine of the angle between both. Source: `keras.losses.cosine_similarity`."""
    t, p = both(y_true, y_pred)
    return sum_of(l2_normalize(t, axis) * l2_normalize(p, axis), axis)


def _signed(t):
    """Return labels -1 and 1 where they were given as 0 and 1."""
    binary = bool(np.all((look(t) == 0) | (look(t) == 1)))
    return 2.0 * t - 1.0 if binary else t


def hinge(y_true, y_pred):
    """Return mean(max(1 - y_true * y_pred, 0)); labels 0 and 1 become -1 and 1. Source: `keras.losses.hinge`."""
    t, p = both(y_true, y_pred)
    return mean_of(at_least(1.0 - _signed(t) * p, 0))


def squared_hinge(y_true, y_pred):
    """Return mean(max(1 - y_true * y_pred, 0)^2). Source: `keras.losses.squared_hinge`."""
    t, p = both(y_true, y_pred)
    return mean_of(elementwise.square(at_least(1.0 - _signed(t) * p, 0)))


def categorical_hinge(y_true, y_pred):
    """Return max(largest wrong score - right score + 1, 0). Source: `keras.losses.categorical_hinge`."""
    t, p = both(y_true, y_pred)
    wrong = reductions.reduce_max((1.0 - t) * p, axis=-1, keepdims=False)
    return at_least(wrong - sum_of(t * p) + 1.0, 0)


def huber(y_true, y_pred, delta=1.0):
    """Return the mean of e^2 / 2 for small errors, delta |e| - delta^2 / 2 for others. Source: `keras.losses.huber`."""
    t, p = both(y_true, y_pred)
    e = elementwise.absolute(p - t)
    delta = e.value.dtype.type(delta)
    return mean_of(elementwise.select(less_equal(e, delta), 0.5 * elementwise.square(e), delta * e - 0.5 * delta * delta))


def log_cosh(y_true, y_pred):
    """Return mean(log(cosh(y_pred - y_true))). Source: `keras.losses.logcosh`."""
    t, p = both(y_true, y_pred)
    e = p - t
    return mean_of(e + elementwise.softplus(-2.0 * e) - float(np.log(2.0)))


def kl_divergence(y_true, y_pred):
    """Return sum(y_true * log(y_true / y_pred)). Source: `keras.losses.kld`."""
    t, p = both(y_true, y_pred)
    t, p = (arithmetic.minimum(at_least(x, EPSILON), x.value.dtype.type(1)) for x in (t, p))
    return sum_of(t * elementwise.log(t / p))


def poisson(y_true, y_pred):
    """Return mean(y_pred - y_true * log(y_pred)). Source: `keras.losses.poisson`."""
    t, p = both(y_true, y_pred)
    return mean_of(p - t * elementwise.log(p + EPSILON))


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    """Return the mean cross-entropy of yes-or-no labels. Source: `keras.losses.binary_crossentropy`."""
    t, p = both(y_true, y_pred)
    if label_smoothing:
        t = t * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return reductions.reduce_mean(_binary(t, p, from_logits), axis=axis, keepdims=False)


def _binary(t, p, from_logits):
    if from_logits:
        return nn.sigmoid_cross_entropy_with_logits(labels=t, logits=p)
    p = clipped(p)
    return -(t * elementwise.log(p) + (1.0 - t) * elementwise.log(1.0 - p))


def binary_focal_crossentropy(y_true, y_pred, apply_class_balancing=False, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0,
                              axis=-1):
    """Return the cross-entropy with easy examples weighted down (Lin et al. 2017). Source:
    `keras.losses.binary_focal_crossentropy`.
    """
    t, p = both(y_true, y_pred)
    if label_smoothing:
        t = t * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        p = nn.sigmoid(p)
    loss = _binary(t, p, False)
    right = t * p + (1.0 - t) * (1.0 - p)
    loss = (1.0 - right) ** gamma * loss
    if apply_class_balancing:
        loss = (t * alpha + (1.0 - t) * (1.0 - alpha)) * loss
    return reductions.reduce_mean(loss, axis=axis, keepdims=False)


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    """Return -sum(y_true * log(y_pred)) for one-hot labels. Raises ValueError for other shapes. Source:
    `keras.losses.categorical_crossentropy`.
    """
    p = convert_to_tensor(y_pred)
    t = convert_to_tensor(y_true)
    if t.value.dtype != p.value.dtype:
        t = elementwise.cast(t, dtype=p.value.dtype)
    if label_smoothing:
        t = t * (1.0 - label_smoothing) + label_smoothing / p.value.shape[-1]
    if t.value.shape != p.value.shape:
        raise ValueError(f"Arguments `target` and `output` must have the same shape. Received: target.shape={t.shape}, "
                         f"output.shape={p.shape}. "
                         "For labels that are numbers of classes use sparse_categorical_crossentropy.")
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(labels=t, logits=p, axis=axis)
    p = p / reductions.reduce_sum(p, axis=axis, keepdims=True)
    return -sum_of(t * elementwise.log(clipped(p)), axis)


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, ignore_class=None, axis=-1):
    """Return -log of the probability of the true class, a whole number. Raises ValueError for shapes that do not fit.

    Source: `keras.losses.sparse_categorical_crossentropy`.
    """
    p = convert_to_tensor(y_pred)
    t = convert_to_tensor(y_true)
    if t.ndim == p.ndim and t.value.shape[-1] == 1:
        t = shaping.reshape(t, shape=t.value.shape[:-1])
    if axis not in (-1, p.ndim - 1):
        p = shaping.transpose(p, perm=tuple(k for k in range(p.ndim) if k != axis % p.ndim) + (axis % p.ndim,))
    if t.value.shape != p.value.shape[:-1]:
        raise ValueError(f"Arguments `target` and `output` must have the same shape up until the last dimension: target.shape={t.shape}, "
                         f"output.shape={p.shape}")
    if t.value.dtype.kind not in "iu":
        t = elementwise.cast(t, dtype=np.int64)
    ignored = None
    if ignore_class is not None:
        ignored = look(t) == ignore_class
        t = Tensor(np.where(ignored, 0, t.value))
    if not from_logits:
        p = elementwise.log(clipped(p))
    loss = run(neural_nets.sparse_cross_entropy, (p, t))
    return loss if ignored is None else elementwise.select(Tensor(~ignored), loss, 0)


MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kl_divergence
logcosh = log_cosh


class Loss:
    """The base of all losses: `call(y_true, y_pred)` gives one loss per example, the call of the object their average.

    `reduction`: "sum_over_batch_size" (the mean), "sum", "mean" or "none". Source: `keras.losses.Loss`.
    """

    def __init__(self, name=None, reduction="sum_over_batch_size", dtype=None):
        if reduction not in ("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none", None):
            raise ValueError(f"Invalid value for argument `reduction`. Expected one of 'sum_over_batch_size', 'sum', 'mean', 'none'. "
                             f"Received: reduction={reduction}")
        self.name, self.reduction = name or type(self).__name__, reduction
        self.dtype = dtype or "float32"

    def call(self, y_true, y_pred):
        """Return one loss per example."""
        raise NotImplementedError("Loss subclasses must write call(y_true, y_pred).")

    def __call__(self, y_true, y_pred, sample_weight=None):
        if type(y_pred) is not Tensor or y_pred.value.dtype is not FLOAT32:
            y_pred = convert_to_tensor(y_pred)
            if y_pred.dtype.name != self.dtype:
                y_pred = elementwise.cast(y_pred, dtype=as_dtype(self.dtype).as_numpy_dtype)
        losses = self.call(y_true, y_pred)
        if not isinstance(losses, Tensor):
            losses = convert_to_tensor(losses)
        weight = None
        if sample_weight is not None:
            weight = convert_to_tensor(sample_weight)
            weight = weight if weight.value.dtype == losses.value.dtype else elementwise.cast(weight, dtype=losses.value.dtype)
            weight, losses = aligned(weight, losses)
            losses = losses * weight
        if self.reduction in ("none", None):
            return losses
        if self.reduction != "sum" and weight is None:
            return run(reductions.reduce_mean, (losses,), WHOLE) if losses.value.ndim else losses
        total = reductions.reduce_sum(losses, axis=None, keepdims=False) if losses.ndim else losses
        if self.reduction == "sum":
            return total
        if self.reduction == "mean_with_sample_weight":
            return arithmetic.divide_no_nan(total, reductions.reduce_sum(weight, axis=None, keepdims=False))
        return total / losses.value.size if losses.ndim else total

    def get_config(self):
        """Return name and reduction."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config):
        """Make a loss of its arguments."""
        return cls(**config)


class LossFunctionWrapper(Loss):
    """A loss made of a function; further arguments are passed on."""

    def __init__(self, fn, reduction="sum_over_batch_size", name=None, dtype=None, **kwargs):
        super().__init__(name=name or fn.__name__, reduction=reduction, dtype=dtype)
        self.fn, self._arguments = fn, kwargs

    def call(self, y_true, y_pred):
        """Return the function's losses."""
        return self.fn(y_true, y_pred, **self._arguments)


class MeanSquaredError(LossFunctionWrapper):
    """Average the mean squared error. Source: `keras.losses.MeanSquaredError`."""

    def __init__(self, reduction="sum_over_batch_size", name="mean_squared_error", dtype=None):
        super().__init__(mean_squared_error, reduction, name, dtype)


class MeanAbsoluteError(LossFunctionWrapper):
    """Average the mean absolute error. Source: `keras.losses.MeanAbsoluteError`."""

    def __init__(self, reduction="sum_over_batch_size", name="mean_absolute_error", dtype=None):
        super().__init__(mean_absolute_error, reduction, name, dtype)


class MeanAbsolutePercentageError(LossFunctionWrapper):
    """Average the mean error in percent. Source: `keras.losses.MeanAbsolutePercentageError`."""

    def __init__(self, reduction="sum_over_batch_size", name="mean_absolute_percentage_error", dtype=None):
        super().__init__(mean_absolute_percentage_error, reduction, name, dtype)


class MeanSquaredLogarithmicError(LossFunctionWrapper):
    """Average the mean squared error of logarithms. Source: `keras.losses.MeanSquaredLogarithmicError`."""

    def __init__(self, reduction="sum_over_batch_size", name="mean_squared_logarithmic_error", dtype=None):
        super().__init__(mean_squared_logarithmic_error, reduction, name, dtype)


class Hinge(LossFunctionWrapper):
    """Average the hinge loss. Source: `keras.losses.Hinge`."""

    def __init__(self, reduction="sum_over_batch_size", name="hinge", dtype=None):
        super().__init__(hinge, reduction, name, dtype)


class SquaredHinge(LossFunctionWrapper):
    """Average the squared hinge loss. Source: `keras.losses.SquaredHinge`."""

    def __init__(self, reduction="sum_over_batch_size", name="squared_hinge", dtype=None):
        super().__init__(squared_hinge, reduction, name, dtype)


class CategoricalHinge(LossFunctionWrapper):
    """Average the hinge loss over classes. Source: `keras.losses.CategoricalHinge`."""

    def __init__(self, reduction="sum_over_batch_size", name="categorical_hinge", dtype=None):
        super().__init__(categorical_hinge, reduction, name, dtype)


class KLDivergence(LossFunctionWrapper):
    """Average the Kullback-Leibler divergence. Source: `keras.losses.KLDivergence`."""

    def __init__(self, reduction="sum_over_batch_size", name="kl_divergence", dtype=None):
        super().__init__(kl_divergence, reduction, name, dtype)


class Poisson(LossFunctionWrapper):
    """Average the Poisson loss. Source: `keras.losses.Poisson`."""

    def __init__(self, reduction="sum_over_batch_size", name="poisson", dtype=None):
        super().__init__(poisson, reduction, name, dtype)


class LogCosh(LossFunctionWrapper):
    """Average the logarithm of the hyperbolic cosine of the error. Source: `keras.losses.LogCosh`."""

    def __init__(self, reduction="sum_over_batch_size", name="log_cosh", dtype=None):
        super().__init__(log_cosh, reduction, name, dtype)


class Huber(LossFunctionWrapper):
    """Average the Huber loss. Source: `keras.losses.Huber`."""

    def __init__(self, delta=1.0, reduction="sum_over_batch_size", name="huber_loss", dtype=None):
        super().__init__(huber, reduction, name, dtype, delta=delta)


class CosineSimilarity(LossFunctionWrapper):
    """Average minus the cosine of the angle, so that smaller is better. Source: `keras.losses.CosineSimilarity`."""

    def __init__(self, axis=-1, reduction="sum_over_batch_size", name="cosine_similarity", dtype=None):
        super().__init__(lambda t, p, axis: -cosine_similarity(t, p, axis), reduction, name, dtype, axis=axis)


class BinaryCrossentropy(LossFunctionWrapper):
    """Average the cross-entropy of yes-or-no labels. Source: `keras.losses.BinaryCrossentropy`."""

    def __init__(self, from_logits=False, label_smoothing=0.0, axis=-1, reduction="sum_over_batch_size", name="binary_crossentropy",
                 dtype=None):
        super().__init__(binary_crossentropy, reduction, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class BinaryFocalCrossentropy(LossFunctionWrapper):
    """Average the focal cross-entropy. Source: `keras.losses.BinaryFocalCrossentropy`."""

    def __init__(self, apply_class_balancing=False, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1,
                 reduction="sum_over_batch_size", name="binary_focal_crossentropy", dtype=None):
        super().__init__(binary_focal_crossentropy, reduction, name, dtype, apply_class_balancing=apply_class_balancing, alpha=alpha,
                         gamma=gamma, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class CategoricalCrossentropy(LossFunctionWrapper):
    """Average the cross-entropy of one-hot labels. Source: `keras.losses.CategoricalCrossentropy`."""

    def __init__(self, from_logits=False, label_smoothing=0.0, axis=-1, reduction="sum_over_batch_size", name="categorical_crossentropy",
                 dtype=None):
        super().__init__(categorical_crossentropy, reduction, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing,
                         axis=axis)


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """Average the cross-entropy of labels that are numbers of classes. Source:
    `keras.losses.SparseCategoricalCrossentropy`.
    """

    def __init__(self, from_logits=False, ignore_class=None, reduction="sum_over_batch_size", axis=-1,
                 name="sparse_categorical_crossentropy",
                 dtype=None):
        super().__init__(sparse_categorical_crossentropy, reduction, name, dtype, from_logits=from_logits, ignore_class=ignore_class,
                         axis=axis)

    def __call__(self, y_true, y_pred, sample_weight=None):
        ignored = self._arguments["ignore_class"]
        if ignored is not None:                       # the mean is taken over the others
            known = np.asarray(convert_to_tensor(y_true).value != ignored)
            weight = known * np.float32(known.size / max(known.sum(), 1) if self.reduction in ("mean", "sum_over_batch_size") else 1)
            sample_weight = Tensor(weight) if sample_weight is None else sample_weight * Tensor(weight)
        return super().__call__(y_true, y_pred, sample_weight)


def get(identifier):
    """Return a loss function or object by name or as it is. Raises ValueError for an unknown name."""
    if identifier is None or callable(identifier):
        return identifier
    found = globals().get(identifier)
    if isinstance(found, type) and issubclass(found, Loss):
        return found()
    if callable(found):
        return found
    raise ValueError(f"Could not interpret loss identifier: {identifier}")
