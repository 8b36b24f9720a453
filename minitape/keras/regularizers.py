"""Penalties on weights: `keras.regularizers`. Their sum stands in `layer.losses`; add it to the
loss yourself.
"""

from __future__ import annotations

from typing import Any

from ..api.missing import offer
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops.elementwise import absolute
from ..engine.ops.reductions import reduce_sum
from ..typing import TensorLike
from .naming import Configured, made


class Regularizer(Configured):
    """The base of all penalties: a function of one weight."""

    def __call__(self, x: TensorLike) -> Any:
        return 0.0


class L1L2(Regularizer):
    """l1 * sum(|w|) + l2 * sum(w^2). Source: `keras.regularizers.L1L2`."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = float(l1 or 0.0), float(l2 or 0.0)

    def __call__(self, x: TensorLike) -> Tensor:
        x = convert_to_tensor(x)
        parts = []
        if self.l1:
            parts.append(self.l1 * reduce_sum(absolute(x), axis=None, keepdims=False))
        if self.l2:
            parts.append(self.l2 * reduce_sum(x * x, axis=None, keepdims=False))
        return sum(parts[1:], parts[0]) if parts else 0.0 * reduce_sum(x, axis=None, keepdims=False)


class L1(L1L2):
    """l1 * sum(|w|). Source: `keras.regularizers.L1`."""

    def __init__(self, l1: float = 0.01) -> None:
        super().__init__(l1=l1)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments as a dictionary."""
        return {"l1": self.l1}


class L2(L1L2):
    """l2 * sum(w^2). Source: `keras.regularizers.L2`."""

    def __init__(self, l2: float = 0.01) -> None:
        super().__init__(l2=l2)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments as a dictionary."""
        return {"l2": self.l2}


l1, l2 = L1, L2


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """Return both penalties. Source: `keras.regularizers.L1L2`."""
    return L1L2(l1, l2)


_BY_NAME = {"l1": L1, "l2": L2, "l1_l2": L1L2, "L1": L1, "L2": L2, "L1L2": L1L2}


def get(identifier: Any) -> Any:
    """Return a penalty by name or as it is. Raises ValueError for an unknown name."""
    return made("regularizer", _BY_NAME, identifier)


__all__ = ["L1", "L1L2", "L2", "Regularizer", "get", "l1", "l1_l2", "l2"]
offer(__name__)
