"""Keras, thin: what training loops of one's own need. `tf.keras`."""

from . import activations, backend, constraints, initializers, layers, losses, metrics, models, optimizers, random, regularizers, utils
from .layers import Input, KerasTensor, Layer
from .models import Model, Sequential

__all__ = ["Input", "KerasTensor", "Layer", "Model", "Sequential", "activations", "backend", "constraints", "initializers", "layers",
           "losses", "metrics", "models", "optimizers", "random", "regularizers", "utils"]


def __getattr__(name):
    if name in ("applications", "callbacks", "datasets", "preprocessing", "ops"):
        raise AttributeError(f"minitape has no tf.keras.{name}: it is for training loops of one's own. Load data with NumPy.")
    raise AttributeError(f"module 'minitape.keras' has no attribute {name!r}")
