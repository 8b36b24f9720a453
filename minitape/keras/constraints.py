"""Limits that weights must keep: `keras.constraints`. An optimizer applies them after each update."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..api.missing import offer
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from .naming import made


class Constraint:
    """The base of all limits: a function of one weight that returns the corrected weight."""

    def __call__(self, w: Any) -> Tensor:
        return w


class NonNeg(Constraint):
    """Negative numbers become 0. Source: `keras.constraints.NonNeg`."""

    def __call__(self, w: Any) -> Tensor:
        return Tensor(np.maximum(convert_to_tensor(w).value, 0))


class MaxNorm(Constraint):
    """Vectors along `axis` longer than `max_value` are shortened. Source:
    `keras.constraints.MaxNorm`.
    """

    def __init__(self, max_value: int = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Tensor:
        w = convert_to_tensor(w).value
        norms = np.sqrt(np.square(w).sum(self.axis, keepdims=True))
        return Tensor((w * (np.clip(norms, 0, self.max_value) / (1e-7 + norms))).astype(w.dtype))


_BY_NAME = {"non_neg": NonNeg, "max_norm": MaxNorm, "NonNeg": NonNeg, "MaxNorm": MaxNorm}


def get(identifier: Any) -> Any:
    """Return a limit by name or as it is. Raises ValueError for an unknown name."""
    return made("constraint", _BY_NAME, identifier)


__all__ = ["Constraint", "MaxNorm", "NonNeg", "get"]
offer(__name__)
