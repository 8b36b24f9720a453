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
offer(__name__)
