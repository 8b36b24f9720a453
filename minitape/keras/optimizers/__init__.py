"""Optimizers: `keras.optimizers`. They change variables by what their gradients say."""

from __future__ import annotations

from typing import Any

from ...api.missing import offer
from . import schedules
from .base import Optimizer
from .rules import SGD, Adadelta, Adagrad, Adam, Adamax, AdamW, Nadam, RMSprop

_BY_NAME = {
    c.__name__.lower(): c for c in (SGD, Adadelta, Adagrad, Adam, Adamax, AdamW, Nadam, RMSprop)
}


def get(identifier: Any) -> Optimizer:
    """Return an optimizer by name or as it is. Raises ValueError for an unknown name."""
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str) and identifier.lower() in _BY_NAME:
        return _BY_NAME[identifier.lower()]()
    raise ValueError(
        f"Could not interpret optimizer identifier: {identifier}. Known names: "
        f"{', '.join(_BY_NAME)}."
    )


__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Nadam",
    "Optimizer",
    "RMSprop",
    "get",
    "schedules",
]

offer(__name__)
