"""Building blocks of neural networks. Source: `tf.nn`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.convolutions import (
    avg_pool, avg_pool1d, avg_pool2d, conv1d, conv1d_transpose, conv2d, conv2d_transpose, convolution, depth_to_space, depthwise_conv2d,
    max_pool, max_pool1d, max_pool2d, pool, separable_conv2d, space_to_depth,
)
from .api.elementwise import sigmoid, softplus, tanh
from .api.reductions import l2_normalize
from .api.indexing import in_top_k, top_k
from .api.neural_nets import (
    batch_normalization, bias_add, compute_average_loss, crelu, dropout, elu, embedding_lookup, gelu, l2_loss, leaky_relu,
    local_response_normalization, log_poisson_loss, log_softmax, lrn, moments, relu, relu6, scale_regularization_loss, selu,
    sigmoid_cross_entropy_with_logits, silu, softmax, softmax_cross_entropy_with_logits, softsign,
    sparse_softmax_cross_entropy_with_logits, swish, weighted_cross_entropy_with_logits, zero_fraction,
)

__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "batch_normalization", "bias_add", "compute_average_loss", "conv1d", "conv1d_transpose",
    "conv2d", "conv2d_transpose", "convolution", "crelu", "depth_to_space", "depthwise_conv2d", "dropout", "elu", "embedding_lookup",
    "gelu", "in_top_k", "l2_loss", "l2_normalize", "leaky_relu", "local_response_normalization", "log_poisson_loss", "log_softmax",
    "lrn", "max_pool", "max_pool1d", "max_pool2d", "moments", "pool", "relu", "relu6", "scale_regularization_loss", "selu",
    "separable_conv2d", "sigmoid", "sigmoid_cross_entropy_with_logits", "silu", "softmax", "softmax_cross_entropy_with_logits",
    "softplus", "softsign", "space_to_depth", "sparse_softmax_cross_entropy_with_logits", "swish", "tanh", "top_k",
    "weighted_cross_entropy_with_logits", "zero_fraction",
]
offer(__name__)
