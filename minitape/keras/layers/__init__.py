"""Layers. Source: `keras.layers`."""
# ruff: noqa: I001  (names in compact blocks)

from __future__ import annotations


from ...api.missing import offer
from .base import Layer
from .core import (
    Activation,
    Dense,
    Dropout,
    ELU,
    Embedding,
    Flatten,
    GaussianNoise,
    Identity,
    Lambda,
    LeakyReLU,
    PReLU,
    Permute,
    ReLU,
    RepeatVector,
    Rescaling,
    Reshape,
    Softmax,
    SpatialDropout2D,
    UnitNormalization,
)
from .images import (
    AveragePooling1D,
    AveragePooling2D,
    AvgPool1D,
    AvgPool2D,
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    Cropping2D,
    DepthwiseConv2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    MaxPool1D,
    MaxPool2D,
    MaxPooling1D,
    MaxPooling2D,
    SeparableConv2D,
    UpSampling2D,
    ZeroPadding2D,
)
from .input import Input, InputLayer
from . import operators as _operators  # noqa: F401  gives symbols theirs
from .symbolic import KerasTensor  # noqa: F401  (keras.KerasTensor)
from .merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    concatenate,
    multiply,
)
from .normalisation import (
    BatchNormalization,
    GroupNormalization,
    LayerNormalization,
    Normalization,
    RMSNormalization,
)
from .cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells
from .recurrent import Bidirectional, GRU, LSTM, RNN, SimpleRNN

__all__ = [
    "Activation",
    "Add",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AvgPool1D",
    "AvgPool2D",
    "BatchNormalization",
    "Bidirectional",
    "Concatenate",
    "Conv1D",
    "Conv2D",
    "Conv2DTranspose",
    "Cropping2D",
    "Dense",
    "DepthwiseConv2D",
    "Dot",
    "Dropout",
    "ELU",
    "Embedding",
    "Flatten",
    "GRU",
    "GRUCell",
    "GaussianNoise",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "GroupNormalization",
    "Identity",
    "Input",
    "InputLayer",
    "LSTM",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPooling1D",
    "MaxPooling2D",
    "Maximum",
    "Minimum",
    "Multiply",
    "Normalization",
    "PReLU",
    "Permute",
    "RMSNormalization",
    "RNN",
    "ReLU",
    "RepeatVector",
    "Rescaling",
    "Reshape",
    "SeparableConv2D",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "SpatialDropout2D",
    "StackedRNNCells",
    "Subtract",
    "UnitNormalization",
    "UpSampling2D",
    "ZeroPadding2D",
    "add",
    "concatenate",
    "multiply",
]

_PRODUCTS = (
    "Write it with tf.matmul: weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) "
    "/ tf.sqrt(size)), then weights @ v."
)
_WORDS = (
    "Number the words with a dictionary: ids = {word: k for k, word in "
    "enumerate(vocabulary)}. tf.strings.split makes words of a text."
)
_MASKS = (
    "Layers do not pass a mask on to the next one: give it to the layer that uses it, "
    "rnn(x, mask=mask)."
)
offer(
    __name__,
    dict.fromkeys(("Attention", "AdditiveAttention", "MultiHeadAttention"), _PRODUCTS)
    | dict.fromkeys(("TextVectorization", "StringLookup", "IntegerLookup"), _WORDS)
    | {
        "Masking": _MASKS,
        "TimeDistributed": "Dense works along the last axis of any tensor: call it as it is.",
    },
)
