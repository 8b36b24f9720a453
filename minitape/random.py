"""Random tensors. Source: `tf.random`. The numbers are NumPy's: the same seed gives the same ones
everywhere.
"""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.random import (
    Generator,
    categorical,
    normal,
    set_seed,
    shuffle,
    stateless_normal,
    stateless_uniform,
    truncated_normal,
    uniform,
)

__all__ = [
    "Generator",
    "categorical",
    "normal",
    "set_seed",
    "shuffle",
    "stateless_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]
offer(__name__)
