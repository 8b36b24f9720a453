"""What networks are made of besides matrix products: activations, softmax, cross-entropies.

The derivative of an activation is cheap when its result is known, so the rules use the output `y`
wherever they can. Rows that end in `Grad` are such derivatives, fused into one step; they have
rules of their own, for second order.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from math import prod

import numpy as np

from ...base.aliases import Array, Value
from ...base.errors import InvalidArgumentError
from ..comparison import less
from ..elementwise import exp, select, sigmoid, tanh, zeros_like
from ..kernels import ones
from ..record import Op
from ..reductions import reduce_sum
from ..shaping import as_column
from . import special_kernels
from .special import erf

# ---- straight pieces

# numbers, from which on NumPy's detour over `clip` pays: it is three times as fast as `maximum`
MANY = 1000


def between(x: Array, low: float, high: float) -> Array:
    """Return `x`, but at least `low` and at most `high`."""
    number = x.dtype.type
    return (
        x.clip(number(low), number(high)) if x.size > MANY else np.minimum(np.maximum(x, low), high)
    )


# fmt: off
relu            = Op("Relu",  lambda x: between(x, 0, np.inf) if x.dtype.kind == "f" and x.size > MANY else np.maximum(x, 0),
                     lambda g, y, x: relu_grad(g, y))
relu_grad       = Op("ReluGrad", lambda g, y: g * (y > 0),
                     lambda gg, r, g, y: relu_grad(gg, y),
                     lambda gg, r, g, y: zeros_like(gg))
relu6           = Op("Relu6", lambda x: between(x, 0, 6), lambda g, y, x: relu6_grad(g, y))
relu6_grad      = Op("Relu6Grad", lambda g, y: g * ((y > 0) & (y < 6)),
                     lambda gg, r, g, y: relu6_grad(gg, y),
                     lambda gg, r, g, y: zeros_like(gg))
leaky_relu      = Op("LeakyRelu", lambda x, alpha: np.where(x > 0, x, x * alpha).astype(x.dtype, copy=False),
                     lambda g, y, x, alpha: leaky_relu_grad(g, x, alpha=alpha))
leaky_relu_grad = Op("LeakyReluGrad", lambda g, x, alpha: np.where(x > 0, g, g * alpha).astype(g.dtype, copy=False),
                     lambda gg, r, g, x, alpha: leaky_relu_grad(gg, x, alpha=alpha),
                     lambda gg, r, g, x, alpha: zeros_like(gg))
# fmt: on

# ---- curved pieces

# selu's two numbers: Klambauer et al., Self-normalizing neural networks, 2017
SCALE = 1.0507009873554804934193349852946
SCALE_ALPHA = 1.7580993408473768599402175208123

# sqrt(1/2); 1/sqrt(2 pi): the normal density at 0
HALF_ROOT, NORMAL = 0.7071067811865476, 0.3989422804014327
# sqrt(2/pi): Hendrycks, Gimpel, Gaussian error linear units, 2016
TANH_SCALE, CUBIC = 0.7978845608028654, 0.044715


def half_of(x: Array) -> Array:
    """Return (x + 1) / 2, written over x."""
    x = x + 1
    x *= 0.5
    return x


def gelu_tanh_slope(x: Value) -> Value:
    """Return the slope of the approximated gelu."""
    square = x * x
    t = tanh(TANH_SCALE * (x + CUBIC * square * x))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * (TANH_SCALE * (1 + 3 * CUBIC * square))


# fmt: off
elu         = Op("Elu",  lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x), lambda g, y, x: elu_grad(g, y))
elu_grad    = Op("EluGrad", lambda g, y: np.where(y < 0, g * (y + 1), g),
                 lambda gg, r, g, y: elu_grad(gg, y),
                 lambda gg, r, g, y: select(less(y, 0), gg * g, 0))
selu        = Op("Selu", lambda x: np.where(x < 0, SCALE_ALPHA * np.expm1(np.minimum(x, 0)), SCALE * x).astype(x.dtype, copy=False),
                 lambda g, y, x: selu_grad(g, y))
selu_grad   = Op("SeluGrad", lambda g, y: np.where(y < 0, g * (y + SCALE_ALPHA), g * SCALE).astype(g.dtype, copy=False),
                 lambda gg, r, g, y: selu_grad(gg, y),
                 lambda gg, r, g, y: select(less(y, 0), gg * g, 0))
softsign    = Op("Softsign", lambda x: x / (1 + np.abs(x)), lambda g, y, x: softsign_grad(g, x))
softsign_grad = Op("SoftsignGrad", lambda g, x: g / np.square(1 + np.abs(x)),
                   lambda gg, r, g, x: softsign_grad(gg, x),
                   lambda gg, r, g, x: gg * r * -2 * sign_over(x))
sign_over   = Op("SignOverOnePlusAbs", lambda x: np.sign(x) / (1 + np.abs(x)), lambda g, y, x: -g * y * y)

gelu        = Op("Gelu", lambda x: x * half_of(special_kernels.erf(x * x.dtype.type(HALF_ROOT))),
                 lambda g, y, x: g * ((erf(x * HALF_ROOT) + 1) * 0.5 + x * (exp(x * x * -0.5) * NORMAL)))
gelu_tanh   = Op("GeluTanh", lambda x: x * half_of(np.tanh(TANH_SCALE * (x + CUBIC * x * x * x))),
                 lambda g, y, x: g * gelu_tanh_slope(x))
# fmt: on

# ---- softmax: exp, divided by its sum along an axis (a negative number)

NARROW, WIDE = 32, 4096  # up to how many classes a detour pays
MODERATE = 64  # exp of it, times any number of classes, is far from overflow; of its opposite, too


def softmax_kernel(x: Array, axis: int) -> Array:
    """Compute exp(x) / sum(exp(x))."""
    y = exponentials(x, axis)
    y /= added(y, axis)
    return y


def exponentials(x: Array, axis: int) -> Array:
    """Return exp(x), up to a factor along the axis: the largest is subtracted first, so that exp
    never overflows. Of many numbers, only where it could.
    """
    top = largest(x, axis)
    if x.size > MANY and x.itemsize > 2 and np.maximum.reduce(np.abs(top), None) < MODERATE:
        return np.exp(x, order="C")
    y = np.subtract(x, top, order="C")
    return np.exp(y, out=y)


def log_softmax_kernel(x: Array, axis: int) -> Array:
    """Compute x - log(sum(exp(x))), again without the largest."""
    y = x - largest(x, axis)
    y -= np.log(added(np.exp(y), axis))
    return y


def largest(x: Array, axis: int) -> Array:
    """Return the largest number along an axis, which stays with length 1."""
    if not x.shape[axis]:
        return np.maximum.reduce(x, axis, None, None, True, -np.inf)
    if x.ndim == 2 and axis == -1 and x.shape[1] <= NARROW < x.size:
        x = x.copy("F")  # which is read faster
    return np.maximum.reduce(x, axis, None, None, True)


def added(x: Array, axis: int) -> Array:
    """Return the sum along an axis, which stays with length 1: along the last, a product with ones
    is the quickest.
    """
    if axis == -1 and x.ndim > 1 and x.shape[-1] <= WIDE and x.itemsize > 2:
        return x.dot(ones(x.shape[-1], x.dtype))[..., None]
    return np.add.reduce(x, axis, None, None, True)


# fmt: off
softmax     = Op("Softmax",    softmax_kernel,
                 lambda g, y, x, axis: (g - reduce_sum(g * y, axis=axis, keepdims=True)) * y)
log_softmax = Op("LogSoftmax", log_softmax_kernel,
                 lambda g, y, x, axis: g - reduce_sum(g, axis=axis, keepdims=True) * exp(y))
# fmt: on

# ---- losses: logits `x` against targets `t`


def cross_entropy_kernel(x: Array, t: Array) -> Array:
    """Compute -sum(t * log(softmax(x))) along the last axis."""
    return -np.einsum("...i,...i->...", t, log_softmax_kernel(x, -1))


def cross_entropy_grad_kernel(g: Array, x: Array, t: Array) -> Array:
    """Compute g * (softmax(x) - t)."""
    p = softmax_kernel(x, -1)
    p -= t
    return weighted(p, g)


def weighted(p: Array, g: Array) -> Array:
    """Return each row of a fresh array times its number in `g`, which may have extra axes in front."""
    return p * g[..., None] if g.ndim >= p.ndim else np.multiply(p, g[..., None], out=p)


def sparse_kernel(x: Array, t: Array) -> Array:
    """Compute log(sum(exp(x))) - x[t] for every row; `t` holds the numbers of the classes.

    Of many numbers, first as log(sum(exp(x - x[t]))), which saves the search for the largest; only
    where this overflows, the largest is subtracted.
    """
    checked_labels(t, x.shape[-1])
    chosen = x.reshape(-1)[places(t, x)]
    if x.size > MANY and x.itemsize > 2:
        with np.errstate(over="ignore", invalid="ignore"):
            y = log_of_sum(x, chosen[..., None])
        if np.isfinite(y).all():
            return y
    top = largest(x, -1)
    return log_of_sum(x, top) - (chosen - top[..., 0])


def log_of_sum(x: Array, start: Array) -> Array:
    """Return log(sum(exp(x - start))) along the last axis."""
    y = x - start
    np.exp(y, out=y)
    return np.log(added(y, -1)[..., 0])


def sparse_grad_kernel(g: Array, x: Array, t: Array) -> Array:
    """Compute g * (softmax(x) - one_hot(t))."""
    if x.size <= MANY or g.ndim >= x.ndim:
        p = softmax_kernel(x, -1)
        p.reshape(-1)[places(t, x)] -= 1
        return weighted(p, g)
    # the same with one product for both factors of a row
    p, at = exponentials(x, -1), places(t, x)
    total, flat = added(p, -1), p.reshape(-1)
    chosen = (flat[at] / total[..., 0] - 1) * g
    p *= g[..., None] / total
    flat[at] = chosen
    return p


def places(t: Array, x: Array) -> Array:
    """Return where the labels' logits stand when all rows of `x` are laid in one."""
    return starts(t.shape, x.shape[-1]) + t


@lru_cache(maxsize=2)
def starts(shape: tuple[int, ...], classes: int) -> Array:
    """Return where the rows begin. They are kept for the way back, and for the next step."""
    y = (np.arange(prod(shape)) * classes).reshape(shape)
    y.flags.writeable = False
    return y


def checked_labels(t: Array, classes: int) -> None:
    """Raise `InvalidArgumentError` for a label that is not the number of a class."""
    seen = t.view(f"u{t.itemsize}")  # a negative number becomes a huge one: one look is enough
    if t.size and seen.item(seen.argmax()) >= classes:  # `max` takes longer
        wrong = t[seen >= classes].flat[0]
        raise InvalidArgumentError(
            f"Received a label value of {wrong} which is outside the valid range of [0, "
            f"{classes}). "
            "Labels are numbers of classes, counted from 0."
        )


def softmax_slope(g: Value, x: Value) -> Value:
    """Return the adjoint that `g`, on softmax(x), sends to x."""
    y = softmax(x, axis=-1)
    return (g - reduce_sum(g * y, axis=-1, keepdims=True)) * y


def along_last(a: Value, b: Value) -> Value:
    """Return the sum of products along the last axis."""
    return reduce_sum(a * b, axis=-1, keepdims=False)


# fmt: off
cross_entropy = Op("SoftmaxCrossEntropyWithLogits", cross_entropy_kernel,
                   lambda g, y, x, t: cross_entropy_grad(g, x, t),
                   lambda g, y, x, t: -as_column(g) * log_softmax(x, axis=-1))
cross_entropy_grad = Op("SoftmaxCrossEntropyGrad", cross_entropy_grad_kernel,
                        lambda gg, r, g, x, t: along_last(gg, softmax(x, axis=-1) - t),
                        lambda gg, r, g, x, t: softmax_slope(gg * as_column(g), x),
                        lambda gg, r, g, x, t: -gg * as_column(g))
sparse_cross_entropy = Op("SparseSoftmaxCrossEntropyWithLogits", sparse_kernel,
                          lambda g, y, x, t: sparse_cross_entropy_grad(g, x, t), None, mixed=True)
sparse_cross_entropy_grad = Op("SparseSoftmaxCrossEntropyGrad", sparse_grad_kernel,
                               lambda gg, r, g, x, t: along_last(gg, sparse_cross_entropy_grad(g * 0 + 1, x, t)),
                               lambda gg, r, g, x, t: softmax_slope(gg * as_column(g), x), None, mixed=True)

sigmoid_cross_entropy = Op("SigmoidCrossEntropyWithLogits",
                           lambda x, t: np.maximum(x, 0) - x * t + np.log1p(np.exp(-np.abs(x))),
                           lambda g, y, x, t: g * (sigmoid(x) - t),
                           lambda g, y, x, t: -g * x)

l2_loss  = Op("L2Loss",  lambda x: np.vdot(x, x) / x.dtype.type(2), lambda g, y, x: g * x, batched=False)
bias_add = Op("BiasAdd", operator.add, lambda g, y, x, b: g, lambda g, y, x, b: g)
# fmt: on
