"""Building blocks of neural networks. Source: `tf.nn`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.convolutions import (
    avg_pool1d,
    avg_pool2d,
    conv1d,
    conv2d,
    conv2d_transpose,
    depthwise_conv2d,
    max_pool1d,
    max_pool2d,
)
from .api.elementwise import sigmoid, softplus, tanh
from .api.reductions import l2_normalize
from .api.indexing import in_top_k, top_k
from .api.neural_nets import (
    batch_normalization,
    bias_add,
    dropout,
    elu,
    embedding_lookup,
    gelu,
    l2_loss,
    leaky_relu,
    log_softmax,
    moments,
    relu,
    relu6,
    scale_regularization_loss,
    selu,
    sigmoid_cross_entropy_with_logits,
    silu,
    softmax,
    softmax_cross_entropy_with_logits,
    softsign,
    sparse_softmax_cross_entropy_with_logits,
    swish,
)

__all__ = [
    "avg_pool1d",
    "avg_pool2d",
    "batch_normalization",
    "bias_add",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "depthwise_conv2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_softmax",
    "max_pool1d",
    "max_pool2d",
    "moments",
    "relu",
    "relu6",
    "scale_regularization_loss",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "sparse_softmax_cross_entropy_with_logits",
    "swish",
    "tanh",
    "top_k",
]
offer(__name__)
