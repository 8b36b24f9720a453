"""Building blocks of neural networks: the functions that `tf.nn` exports.

Activations, softmax and losses, normalisation, dropout and embeddings stand here; convolutions and pooling in
`convolutions.py`, under the same names.
"""

import numpy as np

from ..compile.again import again
from ..engine.convert import convert_to_tensor
from ..engine.errors import InvalidArgumentError
from ..engine.operators import one, operand
from ..engine.ops import arithmetic, comparison, elementwise, indexing, reductions, shaping
from ..engine.ops.further import lengths
from ..engine.ops.further import neural_nets as rows
from ..engine.record import run
from ..engine.tensor import Tensor
from .elementwise import refuse
from .random import shape_of, stream

# ---- activations


def activated(op, x, kinds="f", **attributes):
    """Run an operation that takes these kinds of dtypes: f floating, i and u integers. Raises `InvalidArgumentError`."""
    x = convert_to_tensor(x)
    if x.value.dtype.kind not in kinds:
        refuse(op, x.dtype, kinds)
    return run(op, (x,), attributes or None)


def relu(features, name=None):
    """Return max(x, 0); the slope at 0 is 0. Source: `tf.nn.relu`."""
    return activated(rows.relu, features, "fiu")


def relu6(features, name=None):
    """Return x between 0 and 6. Source: `tf.nn.relu6`."""
    return activated(rows.relu6, features, "fiu")


def leaky_relu(features, alpha=0.2, name=None):
    """Return x above 0 and alpha * x below. Source: `tf.nn.leaky_relu`."""
    return activated(rows.leaky_relu, features, alpha=float(alpha))


def crelu(features, axis=-1, name=None):
    """Return relu(x) and relu(-x) side by side along `axis`. Source: `tf.nn.crelu`."""
    x = convert_to_tensor(features)
    return relu(shaping.concat(x, -x, axis=int(axis)))


def elu(features, name=None):
    """Return x above 0 and exp(x) - 1 below. Source: `tf.nn.elu`."""
    return activated(rows.elu, features)


def selu(features, name=None):
    """Return the scaled elu of self-normalizing networks. Source: `tf.nn.selu`."""
    return activated(rows.selu, features)


def gelu(features, approximate=False, name=None):
    """Return x times the normal distribution function of x, or its approximation by tanh. Source: `tf.nn.gelu`."""
    return activated(rows.gelu_tanh if approximate else rows.gelu, features)


def silu(features, beta=1.0):
    """Return x * sigmoid(beta * x). Source: `tf.nn.silu`."""
    x = convert_to_tensor(features)
    return x * one(elementwise.sigmoid, x if type(beta) is float and beta == 1.0 else x * beta)


swish = silu


def softsign(features, name=None):
    """Return x / (1 + |x|). Source: `tf.nn.softsign`."""
    return activated(rows.softsign, features)


# ---- softmax and losses


def _axis(x, axis):
    axis = -1 if axis is None else int(axis)
    if not -x.ndim <= axis < max(x.ndim, 1):
        raise InvalidArgumentError(f"`axis` {axis} does not exist in a tensor of shape {x.shape}.")
    return axis if axis < 0 else axis - x.ndim


def softmax(logits, axis=None, name=None):
    """Return exp(x) divided by its sum along `axis` (the last by default). Source: `tf.nn.softmax`."""
    x = convert_to_tensor(logits)
    return run(rows.softmax, (x,), {"axis": _axis(x, axis)})


def log_softmax(logits, axis=None, name=None):
    """Return the logarithm of softmax. Source: `tf.nn.log_softmax`."""
    x = convert_to_tensor(logits)
    return run(rows.log_softmax, (x,), {"axis": _axis(x, axis)})


def _both(labels, logits):
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")
    x = convert_to_tensor(logits)
    return labels if type(labels) is Tensor else operand(labels, x), x


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    """Return -sum(labels * log_softmax(logits)) along `axis`: one loss per example. Source:
    `tf.nn.softmax_cross_entropy_with_logits`.
    """
    t, x = _both(labels, logits)
    axis = _axis(x, axis)
    if axis != -1:
        order = [k for k in range(x.ndim) if k != x.ndim + axis] + [x.ndim + axis]
        t, x = (shaping.transpose(z, perm=tuple(order)) for z in (t, x))
    if t.value.shape != x.value.shape:
        try:
            shape = np.broadcast_shapes(t.value.shape, x.value.shape)
        except ValueError:
            raise InvalidArgumentError(f"logits and labels must be broadcastable: logits_size={x.shape} labels_size={t.shape}. "
                                       "For labels that are numbers of classes use "
                                       "tf.nn.sparse_softmax_cross_entropy_with_logits.") from None
        t, x = (z if z.value.shape == shape else shaping.broadcast_to(z, shape=shape) for z in (t, x))
    return run(rows.cross_entropy, (x, t))


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """Return -log_softmax(logits)[label] for every example; `labels` are numbers of classes, of the shape of `logits`
    without its last axis.

    Raises `InvalidArgumentError` for a label out of range, ValueError for other shapes. Source:
    `tf.nn.sparse_softmax_cross_entropy_with_logits`.
    """
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")
    t, x = convert_to_tensor(labels), convert_to_tensor(logits)
    if t.value.dtype.kind not in "iu":
        raise InvalidArgumentError(f"Labels must be integers, the numbers of classes, but have dtype {t.dtype.name}. "
                                   "For one-hot labels use tf.nn.softmax_cross_entropy_with_logits.")
    if t.value.shape != x.value.shape[:-1]:
        raise ValueError(f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape={t.shape} "
                         f"and logits.shape={x.shape}")
    return run(rows.sparse_cross_entropy, (x, t))


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """Return -t log(s) - (1 - t) log(1 - s) with s = sigmoid(logits), elementwise. Source:
    `tf.nn.sigmoid_cross_entropy_with_logits`.
    """
    t, x = _both(labels, logits)
    if t.value.shape != x.value.shape:
        raise ValueError(f"`logits` and `labels` must have the same shape, received ({x.shape} vs {t.shape}).")
    return run(rows.sigmoid_cross_entropy, (x, t))


def weighted_cross_entropy_with_logits(labels, logits, pos_weight, name=None):
    """Return the sigmoid cross-entropy with positive examples weighted by `pos_weight`. Source:
    `tf.nn.weighted_cross_entropy_with_logits`.
    """
    t, x = _both(labels, logits)
    if t.value.shape != x.value.shape:
        raise ValueError(f"`logits` and `labels` must have the same shape, received ({x.shape} vs {t.shape}).")
    weight = 1 + (pos_weight - 1) * t
    tail = elementwise.log1p(elementwise.exp(-elementwise.absolute(x))) + run(rows.relu, (-x,))
    return (1 - t) * x + weight * tail


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """Return exp(x) - x * targets, the Poisson loss of log-predictions. Source: `tf.nn.log_poisson_loss`."""
    t, x = _both(targets, log_input)
    loss = elementwise.exp(x) - x * t
    if compute_full_loss:
        stirling = t * elementwise.log(t) - t + 0.5 * elementwise.log(2 * np.pi * t)
        inside = comparison.logical_and(t >= 0.0, t <= 1.0)
        loss = loss + elementwise.select(inside, t * 0, stirling)
    return loss


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """Divide each number by (bias + alpha * sum of squares of its neighbours among the channels) ** beta. Source:
    `tf.nn.local_response_normalization`.
    """
    x = convert_to_tensor(input)
    if x.ndim != 4:
        raise InvalidArgumentError(f"in must be 4-dimensional, got shape {list(x.shape)} [Op:LRN]")
    channels = x.value.shape[3]
    near = np.abs(np.arange(channels)[:, None] - np.arange(channels)) <= depth_radius
    sums = reductions.reduce_sum((x * x)[..., None] * Tensor(near.astype(x.value.dtype)), axis=3, keepdims=False)
    return x / (float(bias) + float(alpha) * sums) ** float(beta)


lrn = local_response_normalization


def l2_loss(t, name=None):
    """Return half the sum of the squares. Source: `tf.nn.l2_loss`."""
    return activated(rows.l2_loss, t)


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """Return the sum of the (weighted) losses over the batch size. Source: `tf.nn.compute_average_loss`."""
    loss = convert_to_tensor(per_example_loss)
    if sample_weight is not None:
        loss = loss * sample_weight
    return reductions.reduce_sum(loss, axis=None, keepdims=False) / (len(loss.value) if global_batch_size is None else global_batch_size)


@again
def zero_fraction(value, name=None):
    """Return the share of zeros. Source: `tf.nn.zero_fraction`."""
    return Tensor(np.float32((convert_to_tensor(value).value == 0).mean()))


# ---- bias, normalisation, dropout, embeddings


def bias_add(value, bias, data_format=None, name=None):
    """Add a vector to the last axis (the second one for data formats that begin with NC). Raises ValueError,
    `InvalidArgumentError`. Source: `tf.nn.bias_add`.
    """
    x = convert_to_tensor(value)
    b = bias if type(bias) is Tensor else operand(bias, x)
    if data_format is not None and not str(data_format).startswith("N"):
        raise ValueError("`data_format` must be of the form `N...C` or `NC...`")
    first = data_format is not None and str(data_format).startswith("NC")
    if b.ndim != 1 or x.ndim < 2 or b.value.shape[0] != x.value.shape[1 if first else -1]:
        raise InvalidArgumentError(f"Must provide as many biases as the {'second' if first else 'last'} dimension of the input tensor: "
                                   f"{list(b.shape)} vs. {list(x.shape)} [Op:BiasAdd]")
    if first:
        b = shaping.reshape(b, shape=(b.value.shape[0],) + (1,) * (x.ndim - 2))
    return run(rows.bias_add, (x, b))


def _axes(x, axes):
    axes = axes.value if isinstance(axes, Tensor) else axes
    return tuple(int(a) for a in (axes if np.ndim(axes) else [axes]))


def moments(x, axes, shift=None, keepdims=False, name=None):
    """Return mean and variance along `axes`. Source: `tf.nn.moments`."""
    x = convert_to_tensor(x)
    axes = _axes(x, axes)
    mean = reductions.reduce_mean(x, axis=axes, keepdims=True)
    variance = reductions.reduce_mean(lengths.squared_difference(x, elementwise.stop_gradient(mean)), axis=axes, keepdims=keepdims)
    if not keepdims:
        mean = shaping.reshape(mean, shape=tuple(variance.value.shape))
    return mean, variance


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """Return scale * (x - mean) / sqrt(variance + variance_epsilon) + offset. Source: `tf.nn.batch_normalization`."""
    x = convert_to_tensor(x)
    inverse = elementwise.rsqrt(convert_to_tensor(variance) + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    shift = -mean * inverse if offset is None else offset - mean * inverse
    return x * inverse + shift


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Set a share `rate` of the numbers to zero, at random, and divide the others by 1 - rate.

    Raises ValueError unless 0 <= rate < 1. Source: `tf.nn.dropout`.
    """
    x = convert_to_tensor(x)
    rate = rate.value.item() if isinstance(rate, Tensor) else rate
    if not 0 <= rate < 1:
        raise ValueError(f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}")
    if x.value.dtype.kind != "f":
        raise ValueError(f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x.dtype={x.dtype}")
    if rate == 0:
        return x
    shape = x.value.shape if noise_shape is None else tuple(
        n if m is None else int(m) for n, m in zip(x.value.shape, noise_shape if isinstance(noise_shape, (list, tuple))
                                                   else shape_of(noise_shape)))
    return x * kept(shape, rate, x.value.dtype.type, seed)


@again
def kept(shape, rate, number, seed):
    """Draw which numbers a dropout keeps: 1 / (1 - rate) for those, 0 for the others."""
    return Tensor(((stream(seed).random(shape, dtype=np.float32) >= rate) * number(1 / (1 - rate)))[()])


def embedding_lookup(params, ids, max_norm=None, name=None):
    """Return the rows of `params` with the numbers `ids`: shape ids.shape + params.shape[1:]. With `max_norm`, longer
    rows are shortened. Raises `InvalidArgumentError` for numbers out of range. Source: `tf.nn.embedding_lookup`.
    """
    params, ids = convert_to_tensor(params), convert_to_tensor(ids)
    found = run(indexing.gather, (params, ids), {"axis": -params.ndim})
    if max_norm is None:
        return found
    axes = tuple(range(-found.ndim + ids.ndim, 0))
    length = elementwise.sqrt(reductions.reduce_sum(found * found, axis=axes, keepdims=True))
    limit = length.value.dtype.type(max_norm)
    return found * (limit / arithmetic.maximum(length, limit))
