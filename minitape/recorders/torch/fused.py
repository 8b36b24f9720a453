"""What PyTorch computes in one, as rows of minitape's table: so its card has a formula.

Nothing of minitape's calls them. `operations.py` says which calls they are: those with PyTorch's
defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.facts import FACTS, Facts
from minitape.engine.ops.further.neural_nets import log_softmax, softmax
from minitape.engine.ops.further.normalisation import normalize, normalize_grad, normalize_kernel
from minitape.engine.ops.indexing import one_hot
from minitape.engine.ops.linear_algebra import swap_last
from minitape.engine.ops.record import Op
from minitape.engine.ops.reductions import reduce_sum

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Value

DRAWS = "bernoulli binomial cauchy exponential geometric log_normal multinomial normal poisson random uniform"
LENGTHS = "norm linalg_norm linalg_vector_norm linalg_matrix_norm dist cdist pdist"
# what is drawn; what is 0 at the end of a length; a layer's product; what a loss compares
FACTS |= {
    **{f"torch.{name}": Facts(bends="drawn") for name in DRAWS.split()},
    **{f"torch.{name}": Facts(bends="length") for name in LENGTHS.split()},
    **{
        f"torch.{name}": Facts(bends="factor", mixes=True)
        for name in ("linear", "bilinear", "conv1d", "conv2d", "conv3d", "conv_transpose2d")
    },
    "torch.mse_loss": Facts(compares="numbers"),
    "torch.l1_loss": Facts(compares="numbers"),
    "torch.cross_entropy": Facts(compares="classes"),
    "torch.nll_loss": Facts(compares="logarithms"),
    "torch.binary_cross_entropy_with_logits": Facts(compares="yes or no"),
}


def linear_kernel(x: Array, w: Array, b: Any = 0) -> Array:
    return x @ w.T + b


def cross_entropy_kernel(x: Array, t: Array) -> Array:
    result: Array = -log_softmax(x, axis=-1)[np.arange(len(t)), t].mean()
    return result


def wrong(x: Value, t: Value) -> Value:
    """Return how far the probabilities are from the labels."""
    hot, cold = np.float32(1), np.float32(0)
    return softmax(x, axis=-1) - one_hot(t, hot, cold, depth=x.shape[-1], axis=-1)


def layer_norm_kernel(x: Array, w: Array, b: Array, axis: Any, epsilon: float) -> Array:
    return normalize_kernel(x, axis, epsilon) * w + b


def shares(q: Value, k: Value) -> Value:
    """Return how much each query takes of each value."""
    return softmax(q @ swap_last(k) / q.shape[-1] ** 0.5, axis=-1)


def shares_slope(g: Value, q: Value, k: Value, v: Value) -> Value:
    """Return the adjoint that `g` sends to the products of queries and keys."""
    p, s = shares(q, k), g @ swap_last(v)
    return p * (s - reduce_sum(s * p, axis=-1, keepdims=True)) / q.shape[-1] ** 0.5


def attention_kernel(q: Array, k: Array, v: Array) -> Array:
    return np.asarray(shares(q, k) @ v)


# fmt: off
linear = Op("torch.linear", linear_kernel,
            lambda g, y, x, w, *b: g @ w,
            lambda g, y, x, w, *b: swap_last(g) @ x,
            lambda g, y, x, w, *b: g)
cross_entropy = Op("torch.cross_entropy", cross_entropy_kernel,
                   lambda g, y, x, t: g * wrong(x, t) / len(t), None, mixed=True)
layer_norm = Op("torch.layer_norm", layer_norm_kernel,
                lambda g, y, x, w, b, axis, epsilon:
                normalize_grad(g * w, x, normalize(x, axis=axis, epsilon=epsilon), axis=axis, epsilon=epsilon),
                lambda g, y, x, w, b, axis, epsilon: g * normalize(x, axis=axis, epsilon=epsilon),
                lambda g, y, x, w, b, axis, epsilon: g)
attention = Op("torch.scaled_dot_product_attention", attention_kernel,
               lambda g, y, q, k, v: shares_slope(g, q, k, v) @ k,
               lambda g, y, q, k, v: swap_last(shares_slope(g, q, k, v)) @ q,
               lambda g, y, q, k, v: swap_last(shares(q, k)) @ g)
# fmt: on
ROWS = {row.name for row in (linear, cross_entropy, layer_norm, attention)}
