"""What is left of Keras's back end here: `keras.backend`."""

from __future__ import annotations

from typing import Any

from ..api.missing import offer
from ..engine.base.tensor import Tensor
from ..typing import DTypeLike
from . import random
from .naming import clear_names


def clear_session(free_memory: bool = True) -> None:
    """Count the layers' names from the beginning again. Source: `keras.backend.clear_session`."""
    clear_names()


def epsilon() -> float:
    """Return the small number that keeps logarithms finite."""
    return 1e-7


def random_normal(
    shape: Any,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Draw from the normal distribution. Source: `keras.backend.random_normal`."""
    return random.normal(shape, mean, stddev, dtype, seed)


__all__ = ["clear_session", "epsilon", "random_normal"]
offer(__name__)
