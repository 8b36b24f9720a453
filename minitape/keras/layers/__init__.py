"""Layers. Source: `keras.layers`."""
# ruff: noqa: I001  (names in compact blocks)

from __future__ import annotations


from ...api.missing import offer
from .base import Layer
from .core import (
    Activation,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    Identity,
    Lambda,
    LeakyReLU,
    ReLU,
    RepeatVector,
    Rescaling,
    Reshape,
    Softmax,
)
from .convolution import (
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    DepthwiseConv2D,
    SeparableConv2D,
)
from .images import (
    AveragePooling1D,
    AveragePooling2D,
    AvgPool1D,
    AvgPool2D,
    Cropping2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    MaxPool1D,
    MaxPool2D,
    MaxPooling1D,
    MaxPooling2D,
    UpSampling2D,
    ZeroPadding2D,
)
from .input import Input, InputLayer
from . import operators as _operators  # noqa: F401  gives symbols theirs
from .symbolic import KerasTensor  # noqa: F401  (keras.KerasTensor)
from .merging import Add, Average, Concatenate, Dot, Maximum, Multiply, Subtract, add, concatenate
from .normalisation import BatchNormalization, LayerNormalization, Normalization
from .cells import GRUCell, LSTMCell, SimpleRNNCell
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
    "Embedding",
    "Flatten",
    "GRU",
    "GRUCell",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
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
    "Multiply",
    "Normalization",
    "RNN",
    "ReLU",
    "RepeatVector",
    "Rescaling",
    "Reshape",
    "SeparableConv2D",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "Subtract",
    "UpSampling2D",
    "ZeroPadding2D",
    "add",
    "concatenate",
]
offer(__name__)
