"""Keras, thin: what training loops of one's own need. `tf.keras`."""

from __future__ import annotations

from ..api.missing import offer
from . import (
    activations,
    backend,
    constraints,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    random,
    regularizers,
    utils,
)
from .layers import Input, KerasTensor, Layer
from .models import Model, Sequential

__all__ = [
    "Input",
    "KerasTensor",
    "Layer",
    "Model",
    "Sequential",
    "activations",
    "backend",
    "constraints",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "models",
    "optimizers",
    "random",
    "regularizers",
    "utils",
]


_OUTSIDE = "minitape is for training loops of one's own."
_MADE = (
    "minitape downloads nothing. Data of the same shape are made: (x_train, y_train), (x_test, "
    "y_test) = tf.data.digits(2000), "
    "tf.data.digits(500, seed=1) draws images as those of MNIST; tf.data.moons and its "
    "neighbours make points, waves, a text."
)
_NO_WEIGHTS = (
    "minitape downloads no trained weights. Build a small model of the layers that you want to "
    "look at, "
    "tf.keras.Sequential([...]), and train it on tf.data.digits(1000)."
)
offer(
    __name__,
    {"applications": _NO_WEIGHTS, "datasets": _MADE}
    | dict.fromkeys(("callbacks", "ops", "preprocessing"), _OUTSIDE),
)
